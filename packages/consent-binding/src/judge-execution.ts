import { canonicalJson, type JsonObject, type JsonValue } from "@eve/canonical-json";
import type { Refusal } from "@eve/registry-schema";
import {
  caseOf,
  type ConsentCase,
  intact,
  notExpired,
  notFinal,
  notFound,
  parts,
} from "./consent-case.ts";
import { firstRefusals, no, type Rule } from "./rule.ts";
import type { StoredConsent } from "./stored-consent.ts";

/** A call that names a consent, as it arrived. */
export interface ExecutionCall {
  readonly actor: string;
  /** Who answers for the actor: an actor of another principal is another requester. */
  readonly principal: string;
  readonly tenant: string;
  readonly integration: string;
  readonly tool: string;
  /** RFC 8785 bytes of the arguments without `consentId`. */
  readonly argumentsCanonical: Uint8Array;
  /** The tool's pins and the entry's digest as the registry has them now. */
  readonly toolPins: JsonObject;
  readonly entryDigest: string;
}

interface ExecutionCase extends ConsentCase {
  readonly call: ExecutionCall;
}

/** What is asked before an approval is consumed, in this order. */
const RULES: readonly Rule<ExecutionCase>[] = [
  isTheirs,
  intact,
  notFinal,
  notExpired,
  isApproved,
  isTheSameCall,
  isTheSameSurface,
];

/**
 * Whether this call may consume this consent now; no refusal means yes, as far as the consent goes: `judgeItem` asks about
 * the item. Codes: consent. not_found, integrity, consumed, declined, expired, voided, pending, arguments_mismatch,
 * surface_changed. Pure and total; `now` is epoch ms.
 */
export function judgeExecution(
  consent: StoredConsent | undefined,
  call: ExecutionCall,
  now: number,
  key: Uint8Array,
): readonly Refusal[] {
  return firstRefusals(RULES, { ...caseOf(consent, key, now), call });
}

function isTheirs({ consent, call }: ExecutionCase): readonly Refusal[] {
  return consent?.tenant === call.tenant &&
    consent.actor === call.actor &&
    consent.principal === call.principal
    ? []
    : notFound();
}

function isApproved(on: ExecutionCase): readonly Refusal[] {
  return parts(on).consent.state === "approved"
    ? []
    : no("consent.pending", "state", "approved", "pending");
}

/** Another tool or other arguments leave the approval usable: it was given for the call it names. */
function isTheSameCall(on: ExecutionCase): readonly Refusal[] {
  const { binding } = parts(on);
  const { integration, tool, argumentsCanonical } = on.call;
  const mismatch = (subject: string): readonly Refusal[] =>
    no("consent.arguments_mismatch", subject, "as approved", "another", binding.integration);
  return [
    ...(integration === binding.integration ? [] : mismatch("integration")),
    ...(tool === binding.tool ? [] : mismatch("tool")),
    ...(isTextOf(binding.arguments, argumentsCanonical) ? [] : mismatch("arguments")),
  ];
}

/** A changed tool or entry voids the approval: the operator has not seen what would run. */
function isTheSameSurface(on: ExecutionCase): readonly Refusal[] {
  const { binding } = parts(on);
  const { toolPins, entryDigest } = on.call;
  const changed = (subject: string): readonly Refusal[] =>
    no("consent.surface_changed", subject, "as approved", "another", binding.integration);
  return [
    ...(canonicalJson(toolPins) === canonicalJson(binding.toolPins) ? [] : changed("tool pins")),
    ...(entryDigest === binding.entryDigest ? [] : changed("entry")),
  ];
}

/** Compared as bytes: no normalisation, no decoding that could fold two byte sequences into one text. */
function isTextOf(value: JsonValue, bytes: Uint8Array): boolean {
  const own = new TextEncoder().encode(canonicalJson(value));
  return own.length === bytes.length && own.every((byte, at) => byte === bytes[at]);
}
