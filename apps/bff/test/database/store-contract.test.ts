import {
  type ConsentCaller,
  type ConsentOutcome,
  type ConsentStore,
  type ConsumedApproval,
} from "@eve/consent-binding";
import { makeConsumedApproval } from "@eve/consent-binding/store";
import { consentStoreContract, type StoreHarness } from "@eve/consent-binding/testing";
import { parseInstant } from "@eve/registry-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../src/database/database.ts";
import { createStore, required, type Store, value } from "./store.ts";

/** Digests are made by the database; who alters one must first take that from it. */
const DIGEST_COMES_LOOSE = `
  alter table bff.consents alter column digest drop expression if exists;
  create or replace function bff.test_digest() returns trigger language plpgsql as $$ begin
    new.digest := encode(sha256('\\x6576652f636f6e73656e742f3100'::bytea || new.binding), 'hex'); return new;
  end $$;
  create or replace trigger test_digest before insert on bff.consents
    for each row execute function bff.test_digest();
`;

describe("the store on PostgreSQL keeps the contract of consent stores", () => {
  let store: Store;
  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
  });
  const cases = consentStoreContract(() => harness(store));

  it("has cases", () => {
    expect(cases.length).toBeGreaterThan(40);
  });
  it.each(cases)("$title", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

async function harness(store: Store): Promise<StoreHarness> {
  const tenants = new Map<string, string>();
  return {
    store: portOf(store, tenants),
    newItem: (tenant) => store.item(tenant),
    itemOf: (tenant, itemId) => store.itemOf(tenant, itemId),
    touchItem: (tenant, itemId) =>
      store.unguarded(tenant, "update bff.items set version = version + 1 where id = $1", [itemId]),
    pendingQuota: 32,
    lapse: () => store.setClock({ offset: 600_000 }),
    tamper: async (consentId, what) => {
      const tenant = required(tenants.get(consentId));
      if (what === "digest") await store.owner.query(DIGEST_COMES_LOOSE);
      await store.unguarded(tenant, TAMPER[what], [consentId]);
    },
    close: () => store.setClock({ offset: 0 }),
  };
}

const TAMPER = {
  binding:
    "update bff.consents set binding = set_byte(binding, octet_length(binding) - 3, get_byte(binding, octet_length(binding) - 3) # 1) where id = $1",
  digest:
    "update bff.consents set digest = left(digest, 63) || translate(right(digest, 1), '0123456789abcdef', '123456789abcdef0') where id = $1",
  approval:
    "update bff.consents set approval_mac = left(approval_mac, 63) || translate(right(approval_mac, 1), '0123456789abcdef', '123456789abcdef0') where id = $1",
} as const;

/** The service as the port of consent-binding: each caller of a case gets a credential that says the same. */
function portOf({ bff, caller }: Store, tenants: Map<string, string>): ConsentStore {
  const known = new Map<string, Promise<Caller>>();
  const of = (who: ConsentCaller): Promise<Caller> => {
    const key = JSON.stringify([who.class, who.actor, who.principal, who.tenant]);
    const { class: credentialClass, ...rest } = who;
    const one = known.get(key) ?? caller(credentialClass, rest);
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
