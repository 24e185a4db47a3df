import type { JsonObject } from "@eve/canonical-json";
import { textIn } from "@eve/test-kit";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { connectDatabase } from "../../src/database/database.ts";
import { createStore, type Store, value } from "../database/store.ts";
import { ORIGIN, testRegistry } from "../test-registry.ts";
import { startWire, type Wire } from "./wire.ts";

let store: Store;
let wire: Wire;
let app: FastifyInstance;
let [agent, operator] = ["", ""];
beforeAll(async () => {
  store = await createStore();
  wire = await startWire(store.database.url);
  const registry = testRegistry({ now: Date.now(), sequence: 1 });
  app = await buildApp({
    database: connectDatabase({ url: wire.url, keys: store.keys }),
    registry: () => ({ ok: true, registry }),
    environment: "one",
    publicOrigin: ORIGIN,
  });
  [agent, operator] = [await store.bearer("agent"), await store.bearer("operator")];
});
afterAll(async () => {
  await app.close();
  await wire[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function post(token: string, url: string, payload: object): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.inject({ method: "POST", url, headers, payload })).json();
}

const ship = (body: object): Promise<JsonObject> =>
  post(agent, "/v1/tools/workbench_ship_item/calls", body);

/** A call that has its approval. */
async function approvedCall(): Promise<{
  readonly arguments: JsonObject;
  readonly consentId: string;
}> {
  const args = { itemId: await store.item(), channel: "beta" };
  const { consentId, digest } = await ship({ arguments: args });
  const id = textIn(consentId);
  await post(operator, `/v1/consents/${id}/approve`, { digest, reason: "r" });
  return { arguments: args, consentId: id };
}

/** What a call is answered, and how often the service spoke to PostgreSQL for it, about what. */
async function counted(call: object): Promise<readonly [unknown, number, number]> {
  const before = [wire.sent(""), wire.sent("bff.execute_at_once")] as const;
  const answer = await ship(call);
  return [
    answer["code"] ?? answer["status"],
    wire.sent("") - before[0],
    wire.sent("bff.execute_at_once") - before[1],
  ];
}

describe("an execution over HTTP, by an agent that the process knows", () => {
  test("is one statement on the wire, who calls and under which registry included; a repeat too: consent.consumed (CB-01)", async () => {
    const call = await approvedCall();
    expect(await counted(call)).toEqual(["ok", 1, 1]);
    expect(await counted(call)).toEqual(["consent.consumed", 1, 1]);
    const other = await approvedCall();
    const wrong = { ...other, arguments: { ...other.arguments, channel: "stable" } };
    expect(await counted(wrong)).toEqual(["consent.arguments_mismatch", 1, 1]);
    expect(await counted(other)).toEqual(["ok", 1, 1]);
  });

  test("does nothing for one that was revoked since, and says so: auth.token_invalid", async () => {
    const bearer = await store.bearer("agent");
    const { credentialId } = value(await store.bff.authenticate(bearer));
    const mine = (body: object): Promise<JsonObject> =>
      post(bearer, "/v1/tools/workbench_ship_item/calls", body);
    const args = { itemId: await store.item(), channel: "beta" };
    const { consentId, digest } = await mine({ arguments: args });
    const id = textIn(consentId);
    await post(operator, `/v1/consents/${id}/approve`, { digest, reason: "r" });
    await store.owner.query("select bff.revoke_credential($1)", [credentialId]);
    for (let count = 0; count < 2; count += 1)
      expect(await mine({ arguments: args, consentId: id })).toMatchObject({
        code: "auth.token_invalid",
      });
    expect((await store.itemOf("acme", args.itemId)).state).toBe("submitted");
  });

  test("does nothing for one whose row the owner changed since, and says so: consent.integrity", async () => {
    const bearer = await store.bearer("agent");
    const { credentialId } = value(await store.bff.authenticate(bearer));
    const mine = (body: object): Promise<JsonObject> =>
      post(bearer, "/v1/tools/workbench_ship_item/calls", body);
    const args = { itemId: await store.item(), channel: "beta" };
    const { consentId, digest } = await mine({ arguments: args });
    const id = textIn(consentId);
    await post(operator, `/v1/consents/${id}/approve`, { digest, reason: "r" });
    await store.owner.query("alter table bff.credentials disable trigger user");
    await store.owner.query(
      "update bff.credentials set expires_at = expires_at + interval '1 year' where id = $1",
      [credentialId],
    );
    await store.owner.query("alter table bff.credentials enable trigger user");
    expect(await mine({ arguments: args, consentId: id })).toMatchObject({
      code: "consent.integrity",
    });
    expect((await store.itemOf("acme", args.itemId)).state).toBe("submitted");
  });

  test("by PostgreSQL's clock: a time for which the registry was not judged goes the whole way", async () => {
    const call = await approvedCall();
    await store.setClock({ offset: 120_000 });
    const [code, statements, atOnce] = await counted(call);
    await store.setClock({ offset: 0 });
    expect([code, atOnce]).toEqual(["ok", 1]);
    expect(statements).toBeGreaterThan(3);
  });
});
