import type { Outcome } from "./database.ts";

type Refused = Extract<Outcome<never>, { readonly ok: false }>;

/** A refusal with the consent it is about; unknown and not yours stay the same answer, which names none. */
export function refused(answer: Refused, consentId: string): Refused {
  return answer.code === "consent.not_found"
    ? { ok: false, code: "consent.not_found" }
    : { ...answer, consentId };
}
