import { isConsentId } from "@eve/consent-binding";
import type { AppOptions } from "./app-options.ts";
import type { Caller, ConsentView, Decision } from "./database/database.ts";
import { type Result, fail } from "./failure.ts";
import { effecting, reading } from "./service-error.ts";

/** A consent as its requester or an operator of its tenant sees it; for everybody else, and an unknown one, `consent.not_found`. */
export async function findConsent(
  { database }: AppOptions,
  caller: Caller,
  id: string,
): Promise<Result<ConsentView>> {
  return isConsentId(id)
    ? reading(() => database.findConsent(caller, id))
    : fail("consent.not_found");
}

/** Approves or declines. Without an operator's credential the answer is the same for every id: `consent.approver_not_operator`. */
export async function decide(
  { database }: AppOptions,
  caller: Caller,
  id: string,
  decision: Decision,
): Promise<Result<ConsentView>> {
  if (caller.class !== "operator") return fail("consent.approver_not_operator");
  return isConsentId(id)
    ? effecting(() => database.decideConsent(caller, id, decision))
    : fail("consent.not_found");
}
