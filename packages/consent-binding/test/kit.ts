import { canonicalJson, isSha256, type JsonObject, type Sha256 } from "@eve/canonical-json";
import {
  approvalMac,
  bindingDigest,
  type ConsentBinding,
  encodeBinding,
  type ExecutionCall,
  type StoredConsent,
} from "@eve/consent-binding";
import { formatInstant, type Instant, parseInstant } from "@eve/registry-schema";
import { NOW } from "@eve/test-kit";

/** The key under which the kit's approvals are made: the bytes 0 to 31. */
export const KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, byte) => byte);

const MINUTE_MS = 60_000;
/** When the good request expires, and when the good approval was given. */
export const REQUEST_END = NOW + 10 * MINUTE_MS;
export const APPROVED_AT = NOW + 5 * MINUTE_MS;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function sha(digit: string): Sha256 {
  const text = digit.repeat(64);
  if (!isSha256(text)) throw new TypeError("a hex digit");
  return text;
}

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new TypeError("an instant");
  return parsed;
}

/** The good binding: item-7 goes to the beta channel. Its bytes and digest are frozen in binding.test.ts. */
export const GOOD_BINDING: ConsentBinding = {
  version: 1,
  consentId: "3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a09",
  expiresAt: formatInstant(REQUEST_END),
  actor: "builder",
  tenant: "acme",
  integration: "oshun-workbench",
  tool: "workbench_ship_item",
  toolPins: { description: sha("a"), inputSchema: sha("b") },
  entryDigest: sha("c"),
  arguments: { channel: "beta", itemId: "item-7" },
  preview: {
    itemId: "item-7",
    from: "submitted",
    to: "shipped",
    version: 3,
    effect: { channel: "beta" },
    destinations: [{ origin: "https://workbench.example", dataClasses: ["work-items"] }],
  },
};

/** The good binding as JSON, so that a test can change what its type protects. */
export function bindingJson(): JsonObject {
  return { ...GOOD_BINDING };
}

/** A stored consent of the good binding, pending; changes are made to the row alone. */
export function pendingConsent(
  changes: Partial<StoredConsent> = {},
  of: ConsentBinding = GOOD_BINDING,
): StoredConsent {
  const binding = encodeBinding(of);
  return {
    id: of.consentId,
    state: "pending",
    principal: "ann",
    actor: of.actor,
    tenant: of.tenant,
    binding,
    digest: bindingDigest(binding),
    approval: null,
    ...changes,
  };
}

/** The same, approved by olga at {@link APPROVED_AT}. */
export function approvedConsent(
  changes: Partial<StoredConsent> = {},
  of: ConsentBinding = GOOD_BINDING,
): StoredConsent {
  const pending = pendingConsent({}, of);
  const facts = { approver: "olga", at: formatInstant(APPROVED_AT) };
  const mac = approvalMac(KEY, { ...facts, digest: pending.digest });
  return { ...pending, state: "approved", approval: { ...facts, mac }, ...changes };
}

/** The call that the good binding is about. */
export function goodCall(changes: Partial<ExecutionCall> = {}): ExecutionCall {
  const { actor, tenant, integration, tool, toolPins, entryDigest } = GOOD_BINDING;
  const argumentsCanonical = utf8(canonicalJson(GOOD_BINDING.arguments));
  const principal = "ann";
  const call = {
    actor,
    principal,
    tenant,
    integration,
    tool,
    toolPins,
    entryDigest,
    argumentsCanonical,
  };
  return { ...call, ...changes };
}

/** The bytes with the lowest bit of one byte flipped. */
export function flipped(bytes: Uint8Array, position: number): Uint8Array {
  return bytes.map((byte, at) => (at === position ? byte ^ 1 : byte));
}
