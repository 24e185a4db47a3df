import { type JsonObject, sha256 } from "@eve/canonical-json";
import type {
  ConsentCaller,
  ConsentOutcome,
  ConsentRequest,
  ConsentStore,
  ConsentView,
} from "../consent-store.ts";
import { ContractViolation } from "./contract-violation.ts";
import type { StoreHarness } from "./store-harness.ts";

/** The id of no consent. */
export const UNKNOWN = "11111111-1111-4111-8111-111111111111";

/** Who takes part in one case: names of its own, so that cases may share a database. */
export interface Cast {
  readonly harness: StoreHarness;
  readonly store: ConsentStore;
  readonly tenant: string;
  /** Asks and executes. */
  readonly agent: ConsentCaller;
  /** Another actor of the same tenant. */
  readonly colleague: ConsentCaller;
  /** The same actor, for whom another principal answers. */
  readonly deputy: ConsentCaller;
  /** An actor of the same name in another tenant. */
  readonly namesake: ConsentCaller;
  readonly operator: ConsentCaller;
  readonly secondOperator: ConsentCaller;
  readonly foreignOperator: ConsentCaller;
}

/** The cast of the case with that number. */
export function castOf(harness: StoreHarness, number: number): Cast {
  const [tenant, foreign] = [`acme-${number}`, `globex-${number}`];
  const agent = (actor: string, principal: string, of: string): ConsentCaller => ({
    class: "agent",
    actor: `${actor}-${number}`,
    principal: `${principal}-${number}`,
    tenant: of,
  });
  const operator = (principal: string, of: string): ConsentCaller => ({
    ...agent(principal, principal, of),
    class: "operator",
  });
  return {
    harness,
    store: harness.store,
    tenant,
    agent: agent("builder", "ann", tenant),
    colleague: agent("packer", "ben", tenant),
    deputy: agent("builder", "ben", tenant),
    namesake: agent("builder", "ann", foreign),
    operator: operator("olga", tenant),
    secondOperator: operator("otto", tenant),
    foreignOperator: operator("oona", foreign),
  };
}

/** A call that ships the item. The pins and the digest stand for those of an entry. */
export function shipment(itemId: string): ConsentRequest {
  return {
    integration: "oshun-workbench",
    tool: "workbench_ship_item",
    toolPins: { inputSchema: sha256("schema"), description: sha256("description") },
    entryDigest: sha256("entry"),
    arguments: { itemId, channel: "beta" },
    destinations: [{ origin: "http://127.0.0.1:4092", dataClasses: ["work-items"] }],
  };
}

/** A request for shipping a new item. */
export interface Asked {
  readonly call: ConsentRequest;
  readonly itemId: string;
  readonly view: ConsentView;
}

export async function ask({ harness, store, agent, tenant }: Cast): Promise<Asked> {
  const itemId = await harness.newItem(tenant);
  const call = shipment(itemId);
  return { call, itemId, view: granted(await store.request(agent, call)) };
}

/** {@link ask}, approved by the operator. */
export async function askApproved(cast: Cast): Promise<Asked> {
  const asked = await ask(cast);
  await approve(cast, asked);
  return asked;
}

async function approve({ store, operator }: Cast, { view }: Asked): Promise<void> {
  const { id, digest } = view;
  granted(await store.decide(operator, id, { decision: "approve", digest, reason: "reviewed" }));
}

/** The value of an outcome; a refusal is a violation. */
export function granted<T>(outcome: ConsentOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new ContractViolation(`expected a value, was ${outcome.code}`);
}

/** The code of an outcome, or `ok`. */
export function codeOf(outcome: ConsentOutcome<unknown>): string {
  return outcome.ok ? "ok" : outcome.code;
}

/** Everything a refused caller learns; `{ ok: true }` for who was not refused. */
export function refusalIn(outcome: ConsentOutcome<unknown>): JsonObject {
  return outcome.ok ? { ok: true } : { ...outcome };
}
