import { canonicalJson, type JsonObject } from "@eve/canonical-json";
import type { ExecutionCall, StoredConsent } from "@eve/consent-binding";
import { APPROVAL_LIFE_MS, approvalMac } from "@eve/consent-binding";
import { formatInstant, type RefusalCode } from "@eve/registry-schema";
import {
  APPROVED_AT,
  approvedConsent,
  flipped,
  goodCall,
  KEY,
  pendingConsent,
  REQUEST_END,
  sha,
  utf8,
} from "./kit.ts";

/** What judgeExecution() is asked. */
export interface ExecutionCase {
  readonly consent: StoredConsent | undefined;
  readonly call: ExecutionCall;
  readonly now: number;
}

/** One cause for which judgeExecution() refuses: the change, its code, and why. */
export interface ExecutionRow {
  readonly code: RefusalCode;
  readonly title: string;
  readonly reason: string;
  readonly change: (on: ExecutionCase) => ExecutionCase;
}

/** The approved call, at once after the approval. */
export function goodExecution(): ExecutionCase {
  return { consent: approvedConsent(), call: goodCall(), now: APPROVED_AT };
}

const call =
  (changes: Partial<ExecutionCall>) =>
  (on: ExecutionCase): ExecutionCase => ({ ...on, call: { ...on.call, ...changes } });
const args = (value: JsonObject): ((on: ExecutionCase) => ExecutionCase) =>
  call({ argumentsCanonical: utf8(canonicalJson(value)) });
const row =
  (changes: (old: StoredConsent) => Partial<StoredConsent>) =>
  (on: ExecutionCase): ExecutionCase => ({
    ...on,
    consent: on.consent && { ...on.consent, ...changes(on.consent) },
  });
const approval = (
  changes: Partial<NonNullable<StoredConsent["approval"]>>,
): ((on: ExecutionCase) => ExecutionCase) =>
  row((old) => ({ approval: old.approval && { ...old.approval, ...changes } }));

/** The causes of judgeExecution(), in the order in which it asks. */
export const EXECUTION_SHEET: readonly ExecutionRow[] = [
  {
    code: "consent.not_found",
    title: "no consent",
    reason: "There is nothing to execute",
    change: (on) => ({ ...on, consent: undefined }),
  },
  {
    code: "consent.not_found",
    title: "another actor",
    reason: "Unknown and not yours are answered alike",
    change: call({ actor: "packer" }),
  },
  {
    code: "consent.not_found",
    title: "the same actor of another principal",
    reason: "An approver would else execute for another what they approved for them",
    change: call({ principal: "ben" }),
  },
  {
    code: "consent.not_found",
    title: "an actor of the same name in another tenant",
    reason: "Unknown and not yours are answered alike",
    change: call({ tenant: "globex" }),
  },
  {
    code: "consent.integrity",
    title: "a binding of which one bit was changed",
    reason: "The digest is of the stored bytes",
    change: row(({ binding }) => ({ binding: flipped(binding, 12) })),
  },
  {
    code: "consent.integrity",
    title: "another stored digest",
    reason: "The digest is of the stored bytes",
    change: row(() => ({ digest: sha("0") })),
  },
  {
    code: "consent.integrity",
    title: "the binding of another consent",
    reason: "The row and its binding name one consent",
    change: row(() => ({ id: "3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a08" })),
  },
  {
    code: "consent.integrity",
    title: "a row that was given to another actor",
    reason: "The row and its binding name one actor",
    change: (on) => call({ actor: "packer" })(row(() => ({ actor: "packer" }))(on)),
  },
  {
    code: "consent.integrity",
    title: "a row that was moved to another tenant",
    reason: "The row and its binding name one tenant",
    change: (on) => call({ tenant: "globex" })(row(() => ({ tenant: "globex" }))(on)),
  },
  {
    code: "consent.integrity",
    title: "a state that says approved where no approval is stored",
    reason: "A state alone approves nothing",
    change: row(() => ({ approval: null })),
  },
  {
    code: "consent.integrity",
    title: "an approval without a code",
    reason: "The approval is proved by a key that the database does not hold",
    change: approval({ mac: "" }),
  },
  {
    code: "consent.integrity",
    title: "an approval in another approver's name",
    reason: "The code is over the approver",
    change: approval({ approver: "otto" }),
  },
  {
    code: "consent.integrity",
    title: "an approval of one's own request",
    reason: "The row was given the approver's principal, which the binding does not name",
    change: (on) => call({ principal: "Olga" })(row(() => ({ principal: "Olga" }))(on)),
  },
  {
    code: "consent.integrity",
    title: "an approval that was made younger",
    reason: "The code is over the time",
    change: approval({ at: formatInstant(APPROVED_AT + 1) }),
  },
  {
    code: "consent.integrity",
    title: "the approval of another consent",
    reason: "The code is over the digest, which covers the consent's id",
    change: approval({
      mac: approvalMac(KEY, {
        digest: sha("0"),
        approver: "olga",
        at: formatInstant(APPROVED_AT),
      }),
    }),
  },
  {
    code: "consent.integrity",
    title: "an approval under another key",
    reason: "Who can write rows cannot write an approval",
    change: approval({
      mac: approvalMac(KEY.toReversed(), {
        digest: approvedConsent().digest,
        approver: "olga",
        at: formatInstant(APPROVED_AT),
      }),
    }),
  },
  {
    code: "consent.consumed",
    title: "an approval that was executed",
    reason: "An approval pays for one execution",
    change: row(() => ({ state: "consumed" })),
  },
  {
    code: "consent.declined",
    title: "a request that was declined",
    reason: "A final state answers its own code",
    change: row(() => ({ state: "declined", approval: null })),
  },
  {
    code: "consent.expired",
    title: "an approval that was noted as expired",
    reason: "A final state answers its own code",
    change: row(() => ({ state: "expired" })),
  },
  {
    code: "consent.voided",
    title: "an approval that was voided",
    reason: "A final state answers its own code",
    change: row(() => ({ state: "voided" })),
  },
  {
    code: "consent.expired",
    title: "an approval at its end",
    reason: "Expiry is checked when it is executed, whether or not anybody noted it",
    change: (on) => ({ ...on, now: APPROVED_AT + APPROVAL_LIFE_MS }),
  },
  {
    code: "consent.expired",
    title: "a request at its end that nobody decided",
    reason: "Waiting for it would be waiting for ever",
    change: (on) => ({ ...on, consent: pendingConsent(), now: REQUEST_END }),
  },
  {
    code: "consent.pending",
    title: "a request that waits",
    reason: "Nobody has approved it",
    change: (on) => ({ ...on, consent: pendingConsent() }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "another integration",
    reason: "The approval names the integration",
    change: call({ integration: "bellona-protected-http" }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "another tool",
    reason: "The approval names the tool",
    change: call({ tool: "workbench_verify_item" }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "one other byte in one text",
    reason: "The approval is of these bytes",
    change: args({ channel: "betb", itemId: "item-7" }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "one more argument",
    reason: "The approval is of these bytes",
    change: args({ channel: "beta", force: true, itemId: "item-7" }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "a consent id among the arguments",
    reason: "It is no part of the call that was approved",
    change: args({ channel: "beta", consentId: pendingConsent().id, itemId: "item-7" }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "arguments that were not brought into canonical form",
    reason: "The approval is of these bytes",
    change: call({ argumentsCanonical: utf8('{"channel":"beta", "itemId":"item-7"}') }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "the approved arguments and more after them",
    reason: "The approval is of these bytes and no others",
    change: call({ argumentsCanonical: utf8('{"channel":"beta","itemId":"item-7"}{}') }),
  },
  {
    code: "consent.arguments_mismatch",
    title: "no arguments",
    reason: "The approval is of these bytes",
    change: call({ argumentsCanonical: new Uint8Array() }),
  },
  {
    code: "consent.surface_changed",
    title: "another description of the tool",
    reason: "The operator has not seen what would run",
    change: call({ toolPins: { description: sha("d"), inputSchema: sha("b") } }),
  },
  {
    code: "consent.surface_changed",
    title: "one more pin",
    reason: "The operator has not seen what would run",
    change: call({ toolPins: { ...goodCall().toolPins, definition: sha("d") } }),
  },
  {
    code: "consent.surface_changed",
    title: "another entry",
    reason: "The operator has not seen what would run",
    change: call({ entryDigest: sha("d") }),
  },
];
