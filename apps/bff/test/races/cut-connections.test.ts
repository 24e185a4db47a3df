import type { JsonObject } from "@eve/canonical-json";
import { textIn } from "@eve/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { type BffDatabase, connectDatabase } from "../../src/database/database.ts";
import { approvedAgain, askedAgain, type Requested, requested } from "../database/call.ts";
import { codeOf } from "../database/codes.ts";
import { createStore, type Store } from "../database/store.ts";
import { ORIGIN, testRegistry } from "../test-registry.ts";
import { effectsOf, ONCE } from "./effects.ts";
import { startWire, type Wire } from "./wire.ts";

let store: Store;
let first: Requested;
let wire: Wire;
let bff: BffDatabase;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
  wire = await startWire(store.database.url);
  bff = connectDatabase({ url: wire.url, keys: store.keys });
});
afterAll(async () => {
  await bff.close();
  await wire[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

type Decided = Awaited<ReturnType<BffDatabase["decideConsent"]>>;

function approve({ operator, view: { id, digest } }: Requested): Promise<Decided> {
  return bff.decideConsent(operator, id, { decision: "approve", digest, reason: "reviewed" });
}

/** Cuts the connection at a statement; what the caller is told. */
async function cutAt(
  text: string,
  at: "statement" | "answer",
  call: () => Promise<{ ok: true } | { ok: false; code: string }>,
): Promise<string> {
  const stopped = wire.stopAt(text, at);
  const told = call().then(codeOf, () => "nobody knows");
  await stopped;
  wire.cut();
  return told;
}

describe("a connection that is cut", () => {
  test("before an execution arrives: nobody knows, nothing is done or tried again, and the approval is good once (CC-05)", async () => {
    const asked = await approvedAgain(store, first);
    const before = wire.sent("bff.execute_consent");
    const execute = (): ReturnType<BffDatabase["executeConsent"]> =>
      bff.executeConsent(asked.agent, asked.view.id, asked.call);
    expect(await cutAt("bff.execute_consent", "statement", execute)).toBe("nobody knows");
    expect(wire.sent("bff.execute_consent") - before).toBe(1);
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
      state: "approved",
      moves: 0,
    });
    expect(codeOf(await execute())).toBe("ok");
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject(ONCE);
  });

  test("after an execution was committed: nobody knows, and who asks again learns it: consent.consumed (CC-05)", async () => {
    const asked = await approvedAgain(store, first);
    const before = wire.sent("bff.execute_consent");
    const execute = (): ReturnType<BffDatabase["executeConsent"]> =>
      bff.executeConsent(asked.agent, asked.view.id, asked.call);
    expect(await cutAt("bff.execute_consent", "answer", execute)).toBe("nobody knows");
    expect(wire.sent("bff.execute_consent") - before).toBe(1);
    const { outcome, ...effects } = await effectsOf(store.database.ownerUrl, asked);
    expect(effects).toEqual(ONCE);
    expect(await execute()).toMatchObject({ ok: false, code: "consent.consumed", outcome });
  });

  test("on the COMMIT of an approval: nobody knows, and nothing is decided (CC-05)", async () => {
    const asked = await askedAgain(store, first);
    expect(await cutAt("commit", "statement", () => approve(asked))).toBe("nobody knows");
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
      state: "pending",
      decided: 0,
    });
    expect(codeOf(await approve(asked))).toBe("ok");
  });

  test("after the COMMIT of an approval: nobody knows, and who decides again learns it: consent.decided (CC-05)", async () => {
    const asked = await askedAgain(store, first);
    expect(await cutAt("commit", "answer", () => approve(asked))).toBe("nobody knows");
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
      state: "approved",
      decided: 1,
    });
    expect(codeOf(await approve(asked))).toBe("consent.decided");
  });
});

test("the caller of a call that was cut after its commit is told that nobody knows, and then the outcome: workbench.unavailable, consent.consumed (CC-05)", async () => {
  const registry = testRegistry({ now: Date.now(), sequence: 1 });
  const app = await buildApp({
    database: { ...bff, close: () => Promise.resolve() },
    registry: () => ({ ok: true, registry }),
    environment: "cut",
    publicOrigin: ORIGIN,
    log: () => undefined,
  });
  const [agent, operator] = [await store.bearer("agent"), await store.bearer("operator")];
  const post = async (token: string, url: string, payload: object): Promise<JsonObject> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await app.inject({ method: "POST", url, headers, payload })).json();
  };
  const args = { itemId: await store.item(), channel: "beta" };
  const ship = (more: object): Promise<JsonObject> =>
    post(agent, "/v1/tools/workbench_ship_item/calls", { arguments: args, ...more });
  const { consentId, digest } = await ship({});
  await post(operator, `/v1/consents/${textIn(consentId)}/approve`, { digest, reason: "r" });
  const stopped = wire.stopAt("bff.execute_at_once", "answer");
  const told = ship({ consentId });
  await stopped;
  wire.cut();
  expect(await told).toMatchObject({ code: "workbench.unavailable" });
  // A connection of the pool that was cut too may come first: service.unavailable, nothing done.
  await expect
    .poll(() => ship({ consentId }), { timeout: 10_000 })
    .toMatchObject({
      code: "consent.consumed",
      outcome: { itemId: args.itemId, to: "shipped" },
    });
  await app.close();
});
