import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import { CATALOGUE, type RegistryResult } from "@eve/registry-schema";
import { type Admission, AdmissionError } from "@eve/trust-admission";
import { bffClient } from "../src/bff-client.ts";
import { type CallDeps, callHandler } from "../src/call-handler.ts";
import { admitOpening } from "../src/gate.ts";
import { PENDING_STEP_MS, PENDING_WAIT_MS } from "../src/pending-wait.ts";
import type { Era } from "../src/protocol-era.ts";
import { buildServer } from "../src/server-factory.ts";
import { TOOLS } from "../src/tools/index.ts";
import { type Backend, type Reply, type Seen, WHOAMI, problem, startBackend } from "./backend.ts";
import {
  NOW,
  RISK_CLASSES,
  STANDING,
  goodEntry,
  parsed,
  registryBytes,
  withSubject,
} from "./good-registry.ts";
import { fromJson } from "./from-json.ts";
import {
  type AnyClient,
  type LineTransport,
  type Result,
  clientAt,
  clients,
  serveInMemory,
  urlClient,
} from "./memory.ts";
import { CONSENT, ITEM, OK_SHIP, PENDING, approval, CLEAN_RUNTIME } from "./samples.ts";

const BEARER = "eve_local_agent_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE";
const SHIP = { itemId: "item-1", channel: "beta" };

let backend: Backend;
let entry: JsonObject;
let reply: (seen: Seen) => Reply;
let whoami: () => Reply;
let registry: () => RegistryResult;
let faults: unknown[];
let slept: number;

const current = (change: JsonObject = {}, sequence = 1): RegistryResult => ({
  ok: true,
  registry: parsed(registryBytes([withSubject({ ...entry, ...change })], sequence)),
});

beforeEach(async () => {
  reply = () => ({ body: OK_SHIP });
  whoami = () => ({ body: WHOAMI });
  backend = await startBackend(
    (seen) => reply(seen),
    () => whoami(),
  );
  entry = await goodEntry(backend.origin);
  const good = current();
  registry = () => good;
  faults = [];
  slept = 0;
});
afterEach(() => backend.close());

async function admitted(era: Era): Promise<Admission> {
  const settings = { url: backend.origin, token: BEARER };
  const opened = await admitOpening({
    runtime: CLEAN_RUNTIME,
    registry: current(),
    standing: STANDING,
    settings,
    now: NOW,
    era,
    tools: TOOLS,
  });
  if (!("admission" in opened)) throw new Error(JSON.stringify(opened));
  return opened.admission;
}

/** A good handler's parts in an era, whose parts tests may change. */
async function depsFor(era: Era, change: Partial<CallDeps> = {}): Promise<CallDeps> {
  return {
    admission: await admitted(era),
    era,
    destination: backend.origin,
    registry: () => registry(),
    bff: bffClient({ origin: backend.origin, bearer: BEARER, fetch, timeoutMs: 1000 }),
    now: () => NOW,
    sleep: async (ms) => void (slept += ms),
    fail: (error) => void faults.push(error),
    ...change,
  };
}

/** Connects a client to a workbench with such a handler. */
async function connect(client: AnyClient, change: Partial<CallDeps> = {}): Promise<LineTransport> {
  const handler = callHandler(await depsFor(client.era, change));
  const transport = serveInMemory(() =>
    buildServer({ tools: TOOLS, riskClasses: RISK_CLASSES, handler }),
  );
  await client.connect(transport);
  await client.listTools();
  return transport;
}

async function call(
  client: AnyClient,
  name: string,
  args: Record<string, unknown>,
  change?: Partial<CallDeps>,
): Promise<Result> {
  await connect(client, change);
  const result = await client.callTool(`workbench_${name}`, args);
  await client.close();
  return result;
}

const calls = (): readonly Seen[] => backend.seen.filter(({ path }) => path !== "/v1/whoami");
const KINDS = clients().map(({ name }, i) => [name, i] as const);
const anyClient = (): AnyClient => clientAt(0);

function expectRefused(result: Result, code: keyof typeof CATALOGUE): void {
  const { title, remedy } = CATALOGUE[code];
  expect(result.structuredContent).toEqual({ status: "refused", code, title, remedy });
  expect(result.isError).toBe(true);
  expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent);
}

describe.each(KINDS)("a call by a client of kind %s", (_name, i) => {
  test("is answered by the backend, as structured content and as text", async () => {
    const result = await call(clientAt(i), "ship_item", { ...SHIP, consentId: CONSENT });
    expect(result.structuredContent).toEqual(OK_SHIP);
    expect(result.isError).toBeUndefined();
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(OK_SHIP);
    expect(calls().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { arguments: SHIP, consentId: CONSENT },
    ]);
  });

  test("that needs approval is answered at once, and not as an error (D25)", async () => {
    reply = () => ({ body: approval(backend.origin) });
    const result = await call(clientAt(i), "ship_item", SHIP);
    expect(result.structuredContent).toEqual(approval(backend.origin));
    expect(result.isError).toBeUndefined();
    expect(calls()).toHaveLength(1);
  });

  test("with wrong arguments reaches nobody: call.arguments_invalid", async () => {
    expectRefused(
      await call(clientAt(i), "ship_item", { ...SHIP, channel: "everyone" }),
      "call.arguments_invalid",
    );
    expect(backend.seen).toEqual([]);
  });

  test("after a quarantine reaches nobody: lifecycle.quarantined", async () => {
    const quarantined = current(
      { lifecycle: { state: "quarantined", since: "2026-12-01T11:00:00Z", reason: "Looked at" } },
      2,
    );
    registry = () => quarantined;
    expectRefused(
      await call(clientAt(i), "get_item", { itemId: "item-1" }),
      "lifecycle.quarantined",
    );
    expect(backend.seen).toEqual([]);
  });
});

describe("governance before each call", () => {
  test("is repeated for every call of a session", async () => {
    const client = anyClient();
    reply = () => ({ body: { status: "ok", item: ITEM } });
    await connect(client);
    expect(
      (await client.callTool("workbench_claim_item", { itemId: "item-1" })).structuredContent,
    ).toMatchObject({ status: "ok" });
    const revoked = current(
      { lifecycle: { state: "revoked", since: "2026-12-01T11:00:00Z", reason: "Retired" } },
      2,
    );
    registry = () => revoked;
    expectRefused(
      await client.callTool("workbench_claim_item", { itemId: "item-1" }),
      "lifecycle.revoked",
    );
    expect(calls()).toHaveLength(1);
    await client.close();
  });

  const expiry = Date.parse("2026-12-31T11:00:00Z");
  test.each([
    [-1, undefined],
    [0, "health.expired"],
    [1, "health.expired"],
  ] as const)("at the health's expiry %d ms: %s", async (offset, code) => {
    const { structuredContent } = await call(anyClient(), "ship_item", SHIP, {
      now: () => expiry + offset,
    });
    expect(structuredContent?.["code"]).toBe(code);
    expect(structuredContent?.["status"]).toBe(code ? "refused" : "ok");
  });

  test("refuses when the entry is another than the admitted one: entry.changed", async () => {
    const changed = current({ owner: { team: "oshun-workbench", contact: "new@eve.example" } }, 2);
    registry = () => changed;
    expectRefused(await call(anyClient(), "ship_item", SHIP), "entry.changed");
    expect(backend.seen).toEqual([]);
  });

  test("refuses while the registry cannot be read: registry.unreadable", async () => {
    const { title, remedy } = CATALOGUE["registry.unreadable"];
    registry = () => ({
      ok: false,
      refusals: [
        {
          code: "registry.unreadable",
          title,
          remedy,
          integration: null,
          subject: "registry.json",
          expected: "",
          actual: "",
        },
      ],
    });
    expectRefused(await call(anyClient(), "ship_item", SHIP), "registry.unreadable");
    expect(backend.seen).toEqual([]);
  });

  test("refuses a destination that the entry does not list: credential.destination_refused", async () => {
    expectRefused(
      await call(anyClient(), "ship_item", SHIP, { destination: "https://evil.example" }),
      "credential.destination_refused",
    );
    expect(backend.seen).toEqual([]);
  });

  test("refuses a tool whose permission the bearer lacks, before the call is sent: call.scope_missing", async () => {
    whoami = () => ({ body: { ...WHOAMI, scopes: ["workbench:read"] } });
    expectRefused(await call(anyClient(), "ship_item", SHIP), "call.scope_missing");
    expect(calls()).toEqual([]);
  });

  test("asks who the bearer is once, at the first call", async () => {
    const client = anyClient();
    await connect(client);
    expect(backend.seen).toEqual([]);
    await client.callTool("workbench_ship_item", SHIP);
    await client.callTool("workbench_ship_item", SHIP);
    expect(backend.seen.map(({ path }) => path)).toEqual([
      "/v1/whoami",
      "/v1/tools/workbench_ship_item/calls",
      "/v1/tools/workbench_ship_item/calls",
    ]);
    await client.close();
  });

  test("sends no call for a bearer that the backend refuses", async () => {
    whoami = () => problem("lifecycle.revoked", 401);
    expectRefused(await call(anyClient(), "ship_item", SHIP), "lifecycle.revoked");
    expect(calls()).toEqual([]);
  });

  test("takes no admission that admit() did not make: admission.forged", async () => {
    const admission = { ...(await admitted("legacy")) };
    const deps = await depsFor("legacy", { admission });
    expect(() => callHandler(deps)).toThrow(AdmissionError);
  });

  test("serves the admitted protocol version alone: protocol.version_unadmitted", async () => {
    const admission = await admitted("modern");
    expectRefused(
      await call(anyClient(), "ship_item", SHIP, { admission }),
      "protocol.version_unadmitted",
    );
    expect(backend.seen).toEqual([]);
  });
});

describe("a call whose outcome is unknown (D16)", () => {
  test("is not sent again: workbench.unavailable", async () => {
    reply = () => (response) => response.destroy();
    expectRefused(
      await call(anyClient(), "ship_item", { ...SHIP, consentId: CONSENT }),
      "workbench.unavailable",
    );
    expect(calls()).toHaveLength(1);
  });

  test("stays refused with a consent that was consumed (D26) or bound to other arguments (D27), and the arguments go unchanged", async () => {
    reply = () => problem("consent.required", 409);
    expectRefused(
      await call(anyClient(), "ship_item", { ...SHIP, channel: "stable", consentId: CONSENT }),
      "consent.required",
    );
    expect(calls().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { arguments: { ...SHIP, channel: "stable" }, consentId: CONSENT },
    ]);
  });
});

describe("a pending consent", () => {
  test("is waited for, and the decision is answered", async () => {
    reply = () => ({ body: calls().length < 3 ? PENDING : OK_SHIP });
    const result = await call(anyClient(), "ship_item", { ...SHIP, consentId: CONSENT });
    expect(result.structuredContent).toEqual(OK_SHIP);
    expect(slept).toBe(2 * PENDING_STEP_MS);
  });

  test("is answered as pending after 20 s", async () => {
    reply = () => ({ body: PENDING });
    const result = await call(anyClient(), "ship_item", { ...SHIP, consentId: CONSENT });
    expect(result.structuredContent).toEqual(PENDING);
    expect(slept).toBe(PENDING_WAIT_MS);
  });

  test("is asked for no more once the integration is quarantined: lifecycle.quarantined", async () => {
    reply = () => ({ body: PENDING });
    const quarantined = current(
      { lifecycle: { state: "quarantined", since: "2026-12-01T11:00:00Z", reason: "Looked at" } },
      2,
    );
    const sleep = async (): Promise<void> => {
      registry = () => quarantined;
    };
    expectRefused(
      await call(anyClient(), "ship_item", { ...SHIP, consentId: CONSENT }, { sleep }),
      "lifecycle.quarantined",
    );
    expect(calls()).toHaveLength(1);
  });

  test("tells progress to a client that asked for it", async () => {
    reply = () => ({ body: calls().length < 3 ? PENDING : OK_SHIP });
    const transport = await connect(anyClient());
    await transport.send({
      jsonrpc: "2.0",
      id: 99,
      method: "tools/call",
      params: {
        name: "workbench_ship_item",
        arguments: { ...SHIP, consentId: CONSENT },
        _meta: { progressToken: "p" },
      },
    });
    await expect.poll(() => transport.received.some((line) => line.includes(`"id":99`))).toBe(true);
    const told = transport.received
      .filter((line) => line.includes("notifications/progress"))
      .map((line) => fromJson<{ params: unknown }>(line).params);
    expect(told).toMatchObject([
      { progressToken: "p", progress: 0, total: PENDING_WAIT_MS },
      { progressToken: "p", progress: PENDING_STEP_MS },
    ]);
  });
});

/** The backend of a consent that is approved as soon as it is asked for. */
function approveAtOnce(): void {
  reply = ({ body }) => ({ body: body.includes("consentId") ? OK_SHIP : approval(backend.origin) });
}

describe("a client that can show a URL", () => {
  test("is sent to the approval page and calls again by itself: one consent, not two", async () => {
    approveAtOnce();
    const urls: string[] = [];
    const client = urlClient((url) => (urls.push(url), "accept"));
    expect((await call(client, "ship_item", SHIP)).structuredContent).toEqual(OK_SHIP);
    expect(urls).toEqual([approval(backend.origin)["approveUrl"]]);
    expect(calls().map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { arguments: SHIP },
      { arguments: SHIP, consentId: CONSENT },
    ]);
  });

  test("approves nothing by accepting: only the backend decides (D24)", async () => {
    reply = ({ body }) => ({
      body: body.includes("consentId") ? PENDING : approval(backend.origin),
    });
    const result = await call(
      urlClient(() => "accept"),
      "ship_item",
      SHIP,
    );
    expect(result.structuredContent).toEqual(PENDING);
  });

  test.each(["decline", "cancel"] as const)(
    "that answers %s sends nothing more",
    async (action) => {
      approveAtOnce();
      const result = await call(
        urlClient(() => action),
        "ship_item",
        SHIP,
      );
      expect(result.structuredContent).toMatchObject({ status: "pending", consentId: CONSENT });
      expect(calls()).toHaveLength(1);
    },
  );

  test("is not sent there a second time for one call", async () => {
    reply = () => ({ body: approval(backend.origin) });
    let asked = 0;
    const result = await call(
      urlClient(() => (asked++, "accept")),
      "ship_item",
      SHIP,
    );
    expect(result.structuredContent).toEqual(approval(backend.origin));
    expect(asked).toBe(1);
  });

  test("is answered plainly for a call with a consentId of its own", async () => {
    reply = () => ({ body: approval(backend.origin) });
    let asked = 0;
    const result = await call(
      urlClient(() => (asked++, "accept")),
      "ship_item",
      { ...SHIP, consentId: CONSENT },
    );
    expect([result.structuredContent, asked]).toEqual([approval(backend.origin), 0]);
  });

  test.each(["../../x", "", "x".repeat(65)])(
    "gets nothing by a state that no server made: %j",
    async (requestState) => {
      reply = () => ({ body: approval(backend.origin) });
      const transport = await connect(urlClient(() => "accept"));
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } },
      };
      await transport.send({
        jsonrpc: "2.0",
        id: 99,
        method: "tools/call",
        params: {
          name: "workbench_ship_item",
          arguments: SHIP,
          requestState,
          inputResponses: { approve: { action: "accept" } },
          _meta: meta,
        },
      });
      await expect
        .poll(() => transport.received.some((line) => line.includes(`"id":99`)))
        .toBe(true);
      expect(calls().map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ arguments: SHIP }]);
    },
  );
});

test("a legacy client that sends modern capabilities is answered at once: no call is held for a round", async () => {
  reply = () => ({ body: approval(backend.origin) });
  const transport = await connect(anyClient());
  const meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } } };
  const params = { name: "workbench_ship_item", arguments: SHIP, _meta: meta };
  await transport.send({ jsonrpc: "2.0", id: 99, method: "tools/call", params });
  await expect.poll(() => transport.received.at(-1)).toContain(`"id":99`);
  const { result } = fromJson<{ result: Result }>(transport.received.at(-1) ?? "");
  expect(result.structuredContent).toEqual(approval(backend.origin));
});

describe("a fault inside a call", () => {
  test("refuses the call and is handed on: internal.error", async () => {
    const fault = new Error("s3cret");
    const result = await call(anyClient(), "ship_item", SHIP, {
      now: () => {
        throw fault;
      },
    });
    expectRefused(result, "internal.error");
    await expect.poll(() => faults).toEqual([fault]);
  });
});
