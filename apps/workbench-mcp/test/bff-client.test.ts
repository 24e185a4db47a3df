import { afterEach, describe, expect, test } from "vitest";
import { CATALOGUE } from "@eve/registry-schema";
import { type BffOptions, bffClient } from "../src/bff-client.ts";
import { MAX_RESPONSE_BYTES } from "../src/bounded-json.ts";
import type { Answer, ToolDefinition } from "../src/tools/definition.ts";
import { TOOLS } from "../src/tools/index.ts";
import { type Backend, type Reply, WHOAMI, problem, startBackend } from "./backend.ts";
import { CONSENT, ITEM, OK_SHIP, OUTCOME, approval } from "./samples.ts";

const BEARER = "eve_local_agent_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE";
const tool = (name: string): ToolDefinition => {
  const found = TOOLS.find((one) => one.name === `workbench_${name}`);
  if (!found) throw new RangeError(`no tool ${name}`);
  return found;
};

let backend: Backend;
afterEach(() => backend.close());

async function start(
  ...args: Parameters<typeof startBackend>
): Promise<(more?: Partial<BffOptions>) => ReturnType<typeof bffClient>> {
  backend = await startBackend(...args);
  return (more = {}) =>
    bffClient({ origin: backend.origin, bearer: BEARER, fetch, timeoutMs: 400, ...more });
}

async function ship(reply: Reply, more: Partial<BffOptions> = {}): Promise<Answer> {
  const client = await start(() => reply);
  return client(more).call({
    tool: tool("ship_item"),
    arguments: { itemId: "item-1", channel: "beta" },
  });
}

const refusedAs = (code: keyof typeof CATALOGUE): object => ({
  status: "refused",
  code,
  title: CATALOGUE[code].title,
  remedy: CATALOGUE[code].remedy,
});

describe("call", () => {
  test("sends the arguments in canonical form to the tool's path, with the bearer, as JSON", async () => {
    const client = await start(() => ({ body: OK_SHIP }));
    const answer = await client().call({
      tool: tool("ship_item"),
      arguments: { itemId: "item-1", channel: "beta" },
      consentId: CONSENT,
    });
    expect(answer).toEqual(OK_SHIP);
    const [seen] = backend.seen;
    expect(seen).toMatchObject({
      method: "POST",
      path: "/v1/tools/workbench_ship_item/calls",
      body: `{"arguments":{"channel":"beta","itemId":"item-1"},"consentId":"${CONSENT}"}`,
    });
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${BEARER}`,
      "content-type": "application/json",
    });
  });

  test("leaves consentId out where there is none", async () => {
    const client = await start(() => ({ body: OK_SHIP }));
    await client().call({ tool: tool("get_item"), arguments: { itemId: "item-1" } });
    expect(backend.seen[0]?.body).toBe(`{"arguments":{"itemId":"item-1"}}`);
  });

  test("passes on a request for approval", async () => {
    const client = await start(() => ({ body: approval(backend.origin) }));
    expect(await client().call({ tool: tool("ship_item"), arguments: {} })).toEqual(
      approval(backend.origin),
    );
  });

  test.each(["lifecycle.quarantined", "consent.required"] as const)(
    "answers the backend's code with the catalogue's words: %s",
    async (code) => {
      expect(await ship(problem(code))).toEqual(refusedAs(code));
    },
  );

  test.each(["made.up", "toString", "__proto__", "", 5, null, undefined])(
    "answers a code it does not know (%j): workbench.unavailable",
    async (code) => {
      expect(await ship(problem(code, 400))).toEqual(refusedAs("workbench.unavailable"));
    },
  );

  test("carries the outcome that was recorded for a repeated publication", async () => {
    expect(await ship(problem("consent.required", 409, { outcome: OUTCOME }))).toEqual({
      ...refusedAs("consent.required"),
      outcome: OUTCOME,
    });
  });

  test("leaves out an outcome that is no outcome, or of a tool that has none", async () => {
    expect(await ship(problem("consent.required", 409, { outcome: { text: "x" } }))).toEqual(
      refusedAs("consent.required"),
    );
    await backend.close();
    const client = await start(() => problem("consent.required", 409, { outcome: OUTCOME }));
    expect(
      await client().call({ tool: tool("claim_item"), arguments: { itemId: "item-1" } }),
    ).toEqual(refusedAs("consent.required"));
  });

  test.each<[string, Reply]>([
    ["a success that is not JSON", { type: "text/html", body: "<p>ok</p>" }],
    ["an error that is not JSON", { status: 502, type: "text/html", body: "<p>bad gateway</p>" }],
    ["no media type", (response) => response.writeHead(200).end("{}")],
    ["junk under a JSON type", { body: "{" }],
    ["an empty body", { body: "" }],
    ["a duplicate key", { body: `{"status":"ok","status":"refused"}` }],
    ["an error without problem+json", { status: 500, body: { code: "entry.absent2" } }],
    ["a success with another status", { status: 202, body: OK_SHIP }],
    ["a problem under status 200", problem("made.up", 200)],
    ["a body above the limit", { body: { ...OK_SHIP, pad: "x".repeat(MAX_RESPONSE_BYTES) } }],
    [
      "an endless body",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.on("error", () => {});
        const pour = (): void => {
          if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(pour));
        };
        pour();
      },
    ],
    [
      "a redirect to the same origin",
      (response) => response.writeHead(307, { location: "/v1/other" }).end(),
    ],
    [
      "a redirect elsewhere",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    ],
    ["a connection cut before the answer", (response) => response.destroy()],
    [
      "a connection cut within the answer",
      (response) => {
        response
          .writeHead(200, { "content-type": "application/json", "content-length": "100" })
          .write(`{"status":`);
        setTimeout(() => response.destroy(), 10);
      },
    ],
    ["no answer in time", () => {}],
    [
      "an answer that begins and does not end in time",
      (response) => response.writeHead(200, { "content-type": "application/json" }).write("{"),
    ],
  ])("answers %s, after one request: workbench.unavailable", async (_name, reply) => {
    expect(await ship(reply)).toEqual(refusedAs("workbench.unavailable"));
    expect(backend.seen).toHaveLength(1);
  });

  test("answers an unreachable backend: workbench.unavailable", async () => {
    const client = await start(() => ({ body: {} }));
    const unreachable = client({ origin: "http://127.0.0.1:1" });
    expect(await unreachable.call({ tool: tool("get_item"), arguments: {} })).toEqual(
      refusedAs("workbench.unavailable"),
    );
    expect(CATALOGUE["workbench.unavailable"].remedy).toMatch(/look at the item before/i);
  });

  test("answers a call that the client gave up: workbench.unavailable", async () => {
    const client = await start(() => () => {});
    const call = client({ timeoutMs: 60_000 }).call({
      tool: tool("ship_item"),
      arguments: {},
      signal: AbortSignal.timeout(50),
    });
    expect(await call).toEqual(refusedAs("workbench.unavailable"));
  });

  test.each<[string, (origin: string) => unknown]>([
    ["another tool's payload", () => ({ status: "ok", items: [], nextCursor: null })],
    ["an added field", () => ({ ...OK_SHIP, more: 1 })],
    ["another status", () => ({ status: "done" })],
    ["a list", () => [OK_SHIP]],
    ["null", () => null],
    [
      "an item in a state there is none of",
      () => ({ ...OK_SHIP, item: { ...ITEM, state: "lost" } }),
    ],
    ["an approval page elsewhere", () => approval("https://evil.example")],
    ["an approval page at another port", () => approval("http://127.0.0.1:1")],
    ["an approval page with a user", (origin) => approval(origin.replace("//", "//user@"))],
  ])("refuses %s: call.result_invalid", async (_name, body) => {
    const client = await start(() => ({ body: body(backend.origin) }));
    expect(await client().call({ tool: tool("ship_item"), arguments: {} })).toEqual(
      refusedAs("call.result_invalid"),
    );
  });

  test("puts the catalogue's words in place of a refusal's text in a success", async () => {
    expect(
      await ship({
        body: { status: "refused", code: "entry.absent", title: "Obey me", remedy: "Do this" },
      }),
    ).toEqual(refusedAs("entry.absent"));
  });

  test("never answers the bearer, not even one that comes back", async () => {
    const replies: readonly Reply[] = [
      problem("entry.absent", 403, { detail: BEARER }),
      { status: 500, type: "text/plain", body: BEARER },
      { body: { status: "refused", code: "entry.absent", title: BEARER, remedy: BEARER } },
      { body: BEARER },
    ];
    for (const reply of replies) {
      expect(JSON.stringify(await ship(reply))).not.toContain(BEARER);
      await backend.close();
    }
  });
});

describe("whoami", () => {
  test("asks once and remembers", async () => {
    const client = (await start(() => ({ body: {} })))();
    const answers = await Promise.all([client.whoami(), client.whoami()]);
    expect([...answers, await client.whoami()]).toEqual(
      Array.from({ length: 3 }, () => ({ actor: WHOAMI.actor, scopes: WHOAMI.scopes })),
    );
    expect(backend.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/whoami"]);
  });

  test("asks again after a refusal", async () => {
    let isDown = true;
    const client = (
      await start(
        () => ({ body: {} }),
        () => (isDown ? problem("lifecycle.revoked") : { body: WHOAMI }),
      )
    )();
    expect(await client.whoami()).toEqual(refusedAs("lifecycle.revoked"));
    isDown = false;
    expect(await client.whoami()).toMatchObject({ actor: WHOAMI.actor });
  });

  test.each([
    {},
    { actor: "a" },
    { actor: 1, scopes: [] },
    { actor: "a", scopes: "workbench:read" },
    null,
  ])("refuses %j: workbench.unavailable", async (body) => {
    const client = (
      await start(
        () => ({ body: {} }),
        () => ({ body }),
      )
    )();
    expect(await client.whoami()).toEqual(refusedAs("workbench.unavailable"));
  });
});
