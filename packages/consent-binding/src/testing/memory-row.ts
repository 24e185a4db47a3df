import { canonicalJson, isSha256, type JsonObject, type Sha256 } from "@eve/canonical-json";
import { formatInstant, type Instant } from "@eve/registry-schema";
import { type ConsentBinding, decodeBinding } from "../binding.ts";
import { deadlineMs } from "../consent-case.ts";
import type { ConsentState } from "../consent-state.ts";
import type { ConsentView } from "../consent-store.ts";
import { type Preview, parsePreview } from "../preview.ts";
import type { StoredConsent } from "../stored-consent.ts";

/** A consent as the model keeps it, with what no rule asks about. */
export interface Row {
  readonly consent: StoredConsent;
  readonly createdAt: Instant;
  /** The principal that approved or declined. */
  readonly decidedBy: string | null;
  readonly outcome: JsonObject | null;
}

/** The state a consent is in at `now` (epoch ms), whether or not anybody has noted that it expired. */
export function stateAt(consent: StoredConsent, now: number): ConsentState {
  const { state } = consent;
  const isOpen = state === "pending" || state === "approved";
  return isOpen && !(now < (deadlineMs(consent) ?? 0)) ? "expired" : state;
}

/** What the requester and the operators of the tenant may see. */
export function viewOf({ consent, createdAt, decidedBy, outcome }: Row, now: number): ConsentView {
  return {
    id: consent.id,
    state: stateAt(consent, now),
    digest: digestIn(consent),
    binding: bindingIn(consent),
    createdAt,
    expiresAt: formatInstant(deadlineMs(consent) ?? 0),
    decidedBy,
    outcome,
  };
}

/** The binding of a consent that is intact. */
export function bindingIn(consent: StoredConsent): ConsentBinding {
  return present(decodeBinding(consent.binding));
}

/** The preview of a binding that was decoded. */
export function previewIn(binding: ConsentBinding): Preview {
  return present(parsePreview(binding.preview));
}

/** The digest of a consent that is intact. */
export function digestIn({ digest }: StoredConsent): Sha256 {
  return present(isSha256(digest) ? digest : undefined);
}

/** What two requests must have in common to be the same: all but the id and the expiry. */
export function matterOf(binding: Omit<ConsentBinding, "consentId">): string {
  const { expiresAt: _, ...matter } = { consentId: "", ...binding };
  return canonicalJson({ ...matter, consentId: "" });
}

/** The consent id of a count: the form of a random one, without the chance. */
export function consentIdOf(count: number): string {
  return `00000000-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("the model holds only what it has checked");
  return value;
}
