import { textIn } from "@eve/test-kit";
import type { JsonObject } from "@eve/canonical-json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStore, type Store } from "./database/store.ts";
import { OPERATOR, type RealService, startService } from "./real-service.ts";
import { type WorkbenchClient, workbenchClient } from "./workbench-client.ts";

let service: RealService;
let store: Store;
let [agent, operator, other] = ["", "", ""];
let workbench: WorkbenchClient;
beforeAll(async () => {
  service = await startService();
  const { ownerUrl } = service;
  // For what is in the tables; it is the service's database.
  store = await createStore({ url: ownerUrl, ownerUrl, drop: () => Promise.resolve() });
  agent = await service.mint();
  operator = await service.mint(OPERATOR);
  other = await service.mint({ ...OPERATOR, actor: "op:2", principal: "person:c" });
  workbench = workbenchClient(service.origin, agent);
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await service.close();
});

interface Told {
  readonly status: number;
  readonly code: unknown;
  readonly text: string;
}

/** Sends bytes as they are over a real socket. */
async function send(path: string, body: string, token = agent): Promise<Told> {
  const answer = await fetch(`${service.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- problems and answers are objects
  const { code } = JSON.parse(text) as JsonObject;
  return { status: answer.status, code: code ?? null, text };
}

async function submitted(): Promise<string> {
  const created = await send("/v1/items", '{"title":"A thing","description":"d"}', operator);
  expect(created.status).toBe(201);
  const itemId = /"id":"(item-[^"]+)"/.exec(created.text)?.[1] ?? "";
  await workbench.call("workbench_claim_item", { itemId });
  await workbench.call("workbench_submit_change", {
    itemId,
    summary: "s",
    artifactSha256: "a".repeat(64),
  });
  return itemId;
}

const SHIP = "/v1/tools/workbench_ship_item/calls";
const VERIFY = "/v1/tools/workbench_verify_item/calls";

describe("a call to publish, refused before a preview, with no row changed", () => {
  const rows: readonly (readonly [string, string, (itemId: string) => string])[] = [
    [
      "an integer that no double holds (CB-07)",
      SHIP,
      (id) => `{"arguments":{"itemId":"${id}","channel":"beta","n":9007199254740993}}`,
    ],
    [
      "a number beyond every double (CB-07)",
      SHIP,
      (id) => `{"arguments":{"itemId":"${id}","channel":"beta","n":1e400}}`,
    ],
    [
      "an argument twice (CB-10)",
      SHIP,
      (id) => `{"arguments":{"itemId":"${id}","channel":"beta","channel":"stable"}}`,
    ],
    [
      "an argument twice, once escaped (CB-10)",
      SHIP,
      (id) => String.raw`{"arguments":{"itemId":"${id}","channel":"beta","\u0063hannel":"stable"}}`,
    ],
    [
      "the arguments twice (CB-10)",
      SHIP,
      (id) => `{"arguments":{"itemId":"${id}","channel":"beta"},"arguments":{}}`,
    ],
    [
      "a lone surrogate (CB-11)",
      VERIFY,
      (id) => String.raw`{"arguments":{"itemId":"${id}","outcome":"verified","reason":"\ud800"}}`,
    ],
    [
      "surrogates in the wrong order (CB-11)",
      VERIFY,
      (id) =>
        String.raw`{"arguments":{"itemId":"${id}","outcome":"verified","reason":"\udc00\ud800"}}`,
    ],
    [
      "nesting 10,000 deep (CB-13)",
      SHIP,
      (id) =>
        `{"arguments":{"itemId":"${id}","channel":${"[".repeat(10_000)}${"]".repeat(10_000)}}}`,
    ],
    [
      "__proto__ (CB-10)",
      SHIP,
      (id) => `{"arguments":{"itemId":"${id}","__proto__":{"channel":"beta"}}}`,
    ],
  ];
  test.each(rows)("for %s: request.invalid", async (_, path, body) => {
    const itemId = await submitted();
    const before = await store.dump();
    const begun = performance.now();
    expect(await send(path, body(itemId))).toMatchObject({ status: 400, code: "request.invalid" });
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(await store.dump()).toEqual(before);
  });

  test("for 5 MiB: request.too_large (CB-13)", async () => {
    const itemId = await submitted();
    const before = await store.dump();
    const reason = "x".repeat(5 * 1024 * 1024);
    const body = `{"arguments":{"itemId":"${itemId}","outcome":"verified","reason":"${reason}"}}`;
    expect(await send(VERIFY, body)).toMatchObject({ status: 413, code: "request.too_large" });
    expect(await store.dump()).toEqual(before);
  });
});

describe("a consent id", () => {
  const ID = "11111111-1111-4111-8111-111111111111";
  test.each([
    ["a list", `["${ID}"]`],
    ["an object", '{"$ne":null}'],
    ["a number", "1"],
    ["null", "null"],
    ["true", "true"],
    ["__proto__", '"__proto__"'],
    ["SQL", `"' OR 1=1--"`],
    ["in braces", `"{${ID}}"`],
    ["empty", '""'],
    ["one that goes on", `"${ID}\\u0000"`],
    ["with a line feed", `"${ID}\\n"`],
  ])("that is %s looks nothing up: request.invalid (CS-13)", async (_, id) => {
    const itemId = await submitted();
    const before = await store.dump();
    const body = `{"arguments":{"itemId":"${itemId}","channel":"beta"},"consentId":${id}}`;
    expect(await send(SHIP, body)).toMatchObject({ status: 400, code: "request.invalid" });
    expect(await store.dump()).toEqual(before);
  });

  test("in upper case, or without its hyphens, is none: consent.not_found (CS-13)", async () => {
    const itemId = await submitted();
    const asked = await workbench.call("workbench_ship_item", { itemId, channel: "beta" });
    const id = textIn(asked["consentId"]);
    for (const written of [id.toUpperCase(), id.replaceAll("-", "")]) {
      const body = `{"arguments":{"itemId":"${itemId}","channel":"beta"},"consentId":"${written}"}`;
      expect(written).not.toBe(id);
      expect(await send(SHIP, body)).toMatchObject({ status: 404, code: "consent.not_found" });
    }
  });

  test.each(["'%20OR%201=1--", "%7B11111111-1111-4111-8111-111111111111%7D", "__proto__", "1"])(
    "in the address that is no id, %s, answers what an unknown one does: consent.not_found (CS-13)",
    async (id) => {
      const body = JSON.stringify({ digest: "0".repeat(64), reason: "r" });
      const unknown = await send(`/v1/consents/${ID}/approve`, body, operator);
      expect(await send(`/v1/consents/${id}/approve`, body, operator)).toEqual(unknown);
      expect(unknown).toMatchObject({ status: 404, code: "consent.not_found" });
    },
  );
});

test("50 decisions at once of two operators: one is 200, 49 are 409, and the approval has one effect: consent.decided (D28, CS-02)", async () => {
  const args = { itemId: await submitted(), channel: "beta" };
  const asked = await workbench.call("workbench_ship_item", args);
  const [id, digest] = [textIn(asked["consentId"]), textIn(asked["digest"])];
  const told = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      send(
        `/v1/consents/${id}/approve`,
        JSON.stringify({ digest, reason: "r" }),
        at % 2 === 0 ? operator : other,
      ),
    ),
  );
  expect(told.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(
    told.filter(({ status, code }) => status === 409 && code === "consent.decided"),
  ).toHaveLength(49);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => workbench.call("workbench_ship_item", args, id)),
  );
  expect(answers.filter(({ status }) => status === "ok")).toHaveLength(1);
  const shipped = (await store.dump())["history"]?.filter(
    (row) => row.includes(id) && row.includes("shipped"),
  );
  expect(shipped).toHaveLength(1);
});
