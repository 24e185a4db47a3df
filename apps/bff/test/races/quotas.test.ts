import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller, ConsentRequest } from "../../src/database/database.ts";
import { shipCall } from "../database/call.ts";
import { codeOf } from "../database/codes.ts";
import { createStore, required, type Store, value } from "../database/store.ts";
import { asking, type Racer, startRacer } from "./racer.ts";

const OF_AN_ACTOR = 32;
const OF_A_TENANT = 256;
const CHANNELS = ["internal", "beta", "stable"] as const;

let store: Store;
let racers: readonly Racer[];
beforeAll(async () => {
  store = await createStore();
  const place = { url: store.database.url, keys: store.keys };
  racers = await Promise.all(Array.from({ length: 4 }, () => startRacer(place, 8)));
});
afterAll(async () => {
  for (const racer of racers) await racer[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** So many different calls that one actor of the tenant may ask for. */
async function callsOf(tenant: string, count: number): Promise<readonly ConsentRequest[]> {
  const calls: ConsentRequest[] = [];
  while (calls.length < count) {
    const call = shipCall(await store.item(tenant));
    for (const channel of CHANNELS)
      calls.push({ ...call, arguments: { ...call.arguments, channel } });
  }
  return calls.slice(0, count);
}

async function ask(caller: Caller, calls: readonly ConsentRequest[]): Promise<void> {
  for (const call of calls) value(await store.bff.requestConsent(caller, call));
}

/** 64 requests at once, a quarter by each process; how often each code was answered. */
async function race(
  callers: readonly Caller[],
  calls: readonly ConsentRequest[],
): Promise<{
  readonly codes: Readonly<Record<string, number>>;
  readonly ids: ReadonlySet<unknown>;
}> {
  const answers = await Promise.all(
    racers.map((racer, at) => {
      const own = calls.length < 64 ? calls : calls.slice(at * 16, (at + 1) * 16);
      return racer.obey(asking(required(callers[at % callers.length]), own, 16));
    }),
  );
  const codes: Record<string, number> = {};
  for (const [code] of answers.flat()) codes[code] = (codes[code] ?? 0) + 1;
  return {
    codes,
    ids: new Set(answers.flat().flatMap(([code, id]) => (code === "ok" ? [id] : []))),
  };
}

async function waiting(tenant: string): Promise<number> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
  const { rows } = await store.owner.query<{ count: number }>(
    "select count(*)::int from bff.consents where state = 'pending'",
  );
  await store.owner.query("commit");
  return required(rows[0]).count;
}

const ONE_MORE = { ok: 1, "consent.quota_exceeded": 63 };

describe("64 different requests at once, from 4 processes", () => {
  test("are one where 31 of the actor wait, by any of its credentials, and then that one alone again: consent.quota_exceeded (CS-14)", async () => {
    const tenant = "actors";
    const one = await store.caller("agent", { tenant });
    const { actor, principal } = one;
    const other = await store.caller("agent", { tenant, actor, principal });
    const calls = await callsOf(tenant, OF_AN_ACTOR - 1 + 64);
    await ask(one, calls.slice(64));
    expect(await waiting(tenant)).toBe(OF_AN_ACTOR - 1);
    const taken = await race([one, other], calls.slice(0, 64));
    expect([taken.codes, await waiting(tenant)]).toEqual([ONE_MORE, OF_AN_ACTOR]);
    expect(await race([one, other], calls.slice(0, 64))).toEqual(taken);
    expect(await waiting(tenant)).toBe(OF_AN_ACTOR);
  });

  test("are one where 255 of the tenant wait, by actors that have none, and then that one alone again; other tenants' go on: consent.quota_exceeded (CS-14)", async () => {
    const tenant = "tenants";
    const calls = await callsOf(tenant, 64);
    const agents = [];
    for (let count = 0; count < 12; count += 1)
      agents.push(await store.caller("agent", { tenant }));
    await Promise.all(
      agents
        .slice(0, OF_A_TENANT / OF_AN_ACTOR)
        .map((agent, at) => ask(agent, calls.slice(0, at === 0 ? OF_AN_ACTOR - 1 : OF_AN_ACTOR))),
    );
    expect(await waiting(tenant)).toBe(OF_A_TENANT - 1);
    const taken = await race(agents.slice(8), calls);
    expect([taken.codes, await waiting(tenant)]).toEqual([ONE_MORE, OF_A_TENANT]);
    expect(await race(agents.slice(8), calls)).toEqual(taken);
    expect(await waiting(tenant)).toBe(OF_A_TENANT);
    const elsewhere = await store.caller("agent", { tenant: "elsewhere" });
    const [call] = await callsOf("elsewhere", 1);
    expect(codeOf(await store.bff.requestConsent(elsewhere, required(call)))).toBe("ok");
  });
});

test("64 times the same call at once, from 4 processes, is one request, whether it waits already or not", async () => {
  const tenant = "same";
  const agent = await store.caller("agent", { tenant });
  const calls = await callsOf(tenant, 1);
  for (const round of [1, 2]) {
    const { codes, ids } = await race([agent], calls);
    expect([round, codes, ids.size, await waiting(tenant)]).toEqual([round, { ok: 64 }, 1, 1]);
  }
});
