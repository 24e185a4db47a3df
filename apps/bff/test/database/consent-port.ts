import type {
  ConsentCaller,
  ConsentOutcome,
  ConsentStore,
  ConsumedApproval,
} from "@eve/consent-binding";
import { makeConsumedApproval } from "@eve/consent-binding/store";
import { parseInstant } from "@eve/registry-schema";
import type { Caller } from "../../src/database/database.ts";
import { required, type Store, value } from "./store.ts";

/** Later than any test sets the clock. */
const FAR = new Date("2126-01-01T00:00:00Z");

/** The service as the port of consent-binding: each caller of a case gets a credential that says the same. */
export function portOf({ bff, caller }: Store, tenants: Map<string, string>): ConsentStore {
  const known = new Map<string, Promise<Caller>>();
  const of = (who: ConsentCaller): Promise<Caller> => {
    const key = JSON.stringify([who.class, who.actor, who.principal, who.tenant]);
    const { class: credentialClass, ...rest } = who;
    const one = known.get(key) ?? caller(credentialClass, { ...rest, expiresAt: FAR });
    known.set(key, one);
    return one;
  };
  return {
    request: async (who, request) => {
      const outcome = await bff.requestConsent(await of(who), request);
      if (outcome.ok) tenants.set(outcome.value.id, who.tenant);
      return outcome;
    },
    find: async (who, id) => bff.findConsent(await of(who), id),
    decide: async (who, id, decision) => bff.decideConsent(await of(who), id, decision),
    execute: async (who, id, call): Promise<ConsentOutcome<ConsumedApproval>> => {
      const executed = await bff.executeConsent(await of(who), id, call);
      if (!executed.ok) return executed;
      const { digest, decidedBy, binding } = value(await bff.findConsent(await of(who), id));
      const { consentId, tenant, actor, integration, tool } = binding;
      const { executedAt } = executed.value;
      const consumedAt = required(parseInstant(typeof executedAt === "string" ? executedAt : ""));
      const [approver, outcome] = [required(decidedBy), executed.value];
      const fields = { consentId, digest, tenant, actor, integration, tool };
      return {
        ok: true,
        value: makeConsumedApproval({ ...fields, approver, consumedAt, outcome }),
      };
    },
  };
}
