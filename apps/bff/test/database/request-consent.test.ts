import { bindingDigest, encodeBinding } from "@eve/consent-binding";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, readAs } from "../../src/database/client.ts";
import { requested, shipCall, verifyCall } from "./call.ts";
import { codeOf, sqlStateOf } from "./codes.ts";
import { createStore, type Store, TENANT, value } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test("a preview changes no row of the whole database, and adds none but the consent request (ADR-0092-407, ADR-0092-230, CS-08)", async () => {
  const agent = await store.caller("agent");
  const call = shipCall(await store.item());
  const before = await store.dump();
  value(await store.bff.requestConsent(agent, call));
  const { consents, ...after } = await store.dump();
  expect(after).toEqual({ ...before, consents: undefined });
  expect(before["items"]).not.toEqual([]);
  expect(consents).toHaveLength((before["consents"] ?? []).length + 1);
  expect(consents).toEqual(expect.arrayContaining([...(before["consents"] ?? [])]));
});

test("the same call again, and a refused one, change no row at all", async () => {
  const { agent, call, view } = await requested(store);
  const queued = await store.item(TENANT, "queued");
  const before = await store.dump();
  const again = value(await store.bff.requestConsent(agent, { ...call }));
  expect(again).toEqual(view);
  expect(codeOf(await store.bff.requestConsent(agent, shipCall(queued)))).toBe(
    "item.state_refused",
  );
  expect(await store.dump()).toEqual(before);
});

test("the preview's transaction refuses every write (CS-08)", async () => {
  const operator = await store.caller("operator");
  const client = connect(store.database.url);
  const write = sql`select bff.create_item(${operator.credentialId}, 'sneaked', '')`;
  expect(await sqlStateOf(readAs(client, TENANT, (trx) => write.execute(trx)))).toBe("25006");
  await client.destroy();
});

test("the database's digest is the package's, of the very bytes that are stored", async () => {
  const { view } = await requested(store);
  expect(view.digest).toBe(bindingDigest(encodeBinding(view.binding)));
});

test("shows the exact transition, row version, destinations and data classes", async () => {
  const { view, itemId, call } = await requested(store);
  expect(view.binding.preview).toEqual({
    itemId,
    from: "submitted",
    to: "shipped",
    version: (await store.itemOf(TENANT, itemId)).version,
    effect: { channel: "beta" },
    destinations: call.destinations,
  });
});

test.each([
  ["another tool", { tool: "workbench_claim_item" }],
  ["no channel", { arguments: { itemId: "item-1" } }],
  ["an unknown channel", { arguments: { itemId: "item-1", channel: "everywhere" } }],
  [
    "a consent id among the arguments",
    { arguments: { itemId: "item-1", channel: "beta", consentId: "x" } },
  ],
  ["an item id with a quote", { arguments: { itemId: "' OR 1=1--", channel: "beta" } }],
  ["a list for an item id", { arguments: { itemId: ["item-1"], channel: "beta" } }],
])("previews no call with %s: request.invalid", async (_, change) => {
  const agent = await store.caller("agent");
  const outcome = await store.bff.requestConsent(agent, { ...shipCall("item-1"), ...change });
  expect(codeOf(outcome)).toBe("request.invalid");
});

test.each(["\u0000", "\ud800"])(
  "previews no text that PostgreSQL cannot store, %j: request.invalid",
  async (text) => {
    const agent = await store.caller("agent");
    const call = {
      ...verifyCall("item-1"),
      arguments: { itemId: "item-1", outcome: "verified", reason: text },
    };
    expect(codeOf(await store.bff.requestConsent(agent, call))).toBe("request.invalid");
  },
);

test("previews no item of another tenant, and none that is unknown, with one answer: item.not_found", async () => {
  const stranger = await store.caller("agent", { tenant: "globex" });
  const foreign = await store.bff.requestConsent(stranger, shipCall(await store.item()));
  expect(foreign).toEqual({ ok: false, code: "item.not_found" });
  expect(await store.bff.requestConsent(stranger, shipCall("item-unknown"))).toEqual(foreign);
});

test.each([
  ["shared", "auth.scope_insufficient"],
  ["operator", "auth.realm_refused"],
] as const)("lets no %s credential ask: %s", async (credentialClass, code) => {
  const caller = await store.caller(credentialClass);
  expect(codeOf(await store.bff.requestConsent(caller, shipCall(await store.item())))).toBe(code);
});

test("refuses the request after the last that may wait, and takes one again once they have expired: consent.quota_exceeded (CS-14)", async () => {
  const agent = await store.caller("agent");
  for (let count = 0; count < 32; count += 1)
    value(await store.bff.requestConsent(agent, shipCall(await store.item())));
  const one = shipCall(await store.item());
  expect(codeOf(await store.bff.requestConsent(agent, one))).toBe("consent.quota_exceeded");
  await store.setClock({ offset: 600_000 });
  expect(codeOf(await store.bff.requestConsent(agent, one))).toBe("ok");
  await store.setClock({ offset: 0 });
});
