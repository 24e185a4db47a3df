import { sha256 } from "@eve/canonical-json";
import type { Caller, ConsentRequest, ConsentView } from "../../src/database/database.ts";
import { type Store, TENANT, value } from "./store.ts";

/** A call that ships an item to the beta channel. Pins and digest stand for those of an entry. */
export function shipCall(itemId: string): ConsentRequest {
  return {
    integration: "oshun-workbench",
    tool: "workbench_ship_item",
    toolPins: { description: sha256("description"), inputSchema: sha256("schema") },
    entryDigest: sha256("entry"),
    arguments: { itemId, channel: "beta" },
    destinations: [{ origin: "http://127.0.0.1:4092", dataClasses: ["work-item"] }],
  };
}

/** A call that closes an item as verified. */
export function verifyCall(itemId: string): ConsentRequest {
  return {
    ...shipCall(itemId),
    tool: "workbench_verify_item",
    arguments: { itemId, outcome: "verified", reason: 'It works: café, \u{1F6A2}, "quoted"' },
  };
}

/** A requested consent and all who have to do with it. */
export interface Requested {
  readonly agent: Caller;
  readonly operator: Caller;
  readonly itemId: string;
  readonly call: ConsentRequest;
  readonly view: ConsentView;
}

/** An agent's request to ship a new submitted item. */
export async function requested(
  { bff, caller, item }: Store,
  tenant: string = TENANT,
): Promise<Requested> {
  const [agent, operator] = [
    await caller("agent", { tenant }),
    await caller("operator", { tenant }),
  ];
  const itemId = await item(tenant);
  const call = shipCall(itemId);
  const view = value(await bff.requestConsent(agent, call));
  return { agent, operator, itemId, call, view };
}

/** {@link requested} of a new item, by the same two. */
export async function askedAgain({ bff, item }: Store, asked: Requested): Promise<Requested> {
  const itemId = await item(asked.view.binding.tenant);
  const call = shipCall(itemId);
  return { ...asked, itemId, call, view: value(await bff.requestConsent(asked.agent, call)) };
}

/** {@link askedAgain}, and approved. */
export async function approvedAgain(store: Store, asked: Requested): Promise<Requested> {
  const again = await askedAgain(store, asked);
  return { ...again, view: await approve(store, again) };
}

/** {@link requested}, and approved by the operator. */
export async function approved(store: Store, tenant: string = TENANT): Promise<Requested> {
  const asked = await requested(store, tenant);
  return { ...asked, view: await approve(store, asked) };
}

/** The operator's approval of a request. */
export async function approve(
  { bff }: Store,
  { operator, view: { id, digest } }: Pick<Requested, "operator" | "view">,
): Promise<ConsentView> {
  const decision = { decision: "approve", digest, reason: "reviewed" } as const;
  return value(await bff.decideConsent(operator, id, decision));
}
