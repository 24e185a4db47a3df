import type { JsonObject } from "@eve/canonical-json";
import { isConsentId } from "@eve/consent-binding";
import type { AppOptions } from "./app-options.ts";
import type { AdmittedTool } from "./call-gate.ts";
import { approveUrl } from "./consent-address.ts";
import type {
  Caller,
  Item,
  ItemDetail,
  JudgedRegistry,
  PublishCall,
  VoidingCode,
} from "./database/database.ts";
import { type Failure, type Result, fail, succeed } from "./failure.ts";
import { INTEGRATION } from "./identity.ts";
import { effecting, reading } from "./service-error.ts";
import type { Answer, ReadyCall } from "./tools/tool.ts";

/** One publishing call, as it was admitted and parsed. */
export interface Publication {
  readonly options: AppOptions;
  readonly caller: Caller;
  readonly tool: AdmittedTool;
  readonly arguments: JsonObject;
  readonly ready: Extract<ReadyCall, { kind: "publish" }>;
}

const ASK =
  "Nothing was done yet. Show approveUrl and digest to the person; after an operator has approved there, call again with the very same arguments and this consentId.";
const WAIT =
  "Nothing was done yet: no operator has decided. Call again with the very same arguments and this consentId once one has.";

/** Writes nothing but a request for approval, and tells where it is decided. */
export async function askApproval(publication: Publication): Promise<Result<Answer>> {
  const { options, caller, tool } = publication;
  const request = { ...callOf(publication), destinations: tool.destinations };
  const asked = await reading(() => options.database.requestConsent(caller, request));
  if (!asked.ok) return asked;
  const { id, expiresAt, digest } = asked.value;
  return succeed({
    status: "approval_required",
    consentId: id,
    approveUrl: approveUrl(options.publicOrigin, id),
    expiresAt,
    digest,
    next: ASK,
  });
}

/** Executes with an approval, once; a pending one is an answer, every other reason not to is a refusal. */
export async function executeApproved(
  publication: Publication,
  consentId: string,
): Promise<Result<Answer>> {
  if (!isConsentId(consentId)) return fail("consent.not_found");
  const { options, caller } = publication;
  const executed = await effecting(() =>
    options.database.executeConsent(caller, consentId, callOf(publication)),
  );
  if (executed.ok) return tellEffect(publication, executed.value);
  return pendingAnswer(publication, consentId, executed) ?? executed;
}

/**
 * The same in one round trip, for a caller that was authenticated lately. `undefined`: something is not as assumed and
 * nothing was done.
 */
export async function executeAtOnce(
  publication: Publication,
  under: JudgedRegistry,
  consentId: string,
): Promise<Result<Answer> | undefined> {
  const { options, caller, ready } = publication;
  const executed = await effecting(() =>
    options.database.executeAtOnce(caller, under, consentId, callOf(publication)),
  );
  if (executed === undefined) return undefined;
  return executed.ok
    ? succeed(ready.executed(executed.value.item))
    : (pendingAnswer(publication, consentId, executed) ?? executed);
}

/** Ends the approval that a call came with, whose entry is not active: it stays ended when the entry is active again. */
export async function voidApproval(
  { database }: AppOptions,
  caller: Caller,
  consentId: string,
  code: VoidingCode,
): Promise<void> {
  if (isConsentId(consentId)) await effecting(() => database.voidConsent(caller, consentId, code));
}

function pendingAnswer(
  { options }: Publication,
  consentId: string,
  { code }: Failure,
): Result<Answer> | undefined {
  if (code !== "consent.pending") return undefined;
  const url = approveUrl(options.publicOrigin, consentId);
  return succeed({ status: "pending", consentId, approveUrl: url, next: WAIT });
}

/** The effect is done: whatever happens now, the answer must say so. */
async function tellEffect(
  { options, caller, ready }: Publication,
  outcome: JsonObject,
): Promise<Result<Answer>> {
  const { itemId } = outcome;
  const item = typeof itemId === "string" ? await readItem(options, caller, itemId) : undefined;
  return item === undefined
    ? fail("consent.consumed", { outcome })
    : succeed(ready.executed(itemOf(item)));
}

async function readItem(
  { database }: AppOptions,
  caller: Caller,
  itemId: string,
): Promise<ItemDetail | undefined> {
  try {
    const found = await database.getItem(caller, itemId);
    return found.ok ? found.value : undefined;
  } catch {
    return undefined;
  }
}

function callOf({ tool, arguments: args }: Publication): PublishCall {
  return {
    integration: INTEGRATION,
    tool: tool.name,
    toolPins: tool.pins,
    entryDigest: tool.entryDigest,
    arguments: args,
  };
}

function itemOf({ id, title, state, assignee, version, createdAt, updatedAt }: ItemDetail): Item {
  return { id, title, state, assignee, version, createdAt, updatedAt };
}
