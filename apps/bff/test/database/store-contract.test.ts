import { consentStoreContract, type StoreHarness } from "@eve/consent-binding/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portOf } from "./consent-port.ts";
import { createStore, required, type Store } from "./store.ts";

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
    touchItem: (tenant, itemId) => store.touchItem(tenant, itemId),
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
