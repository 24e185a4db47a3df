import { renewed, withValue } from "@eve/test-kit";
import { CATALOGUE, type RefusalCode, type RegistryResult } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../src/tools/index.ts";
import {
  AGENT_BEARER,
  NOW,
  SHARED_BEARER,
  type TestAppOptions,
  bearer,
  testApp,
} from "../test-app.ts";
import { refusedRegistry, testRegistry } from "../test-registry.ts";

const CONSENT = "5f0c2f5e-3f6f-4c43-9d0b-0d9a2f9f7a11";
const PUBLISH = { itemId: "item-1", channel: "beta" };

async function call(
  tool: string,
  payload: string | object,
  {
    token = AGENT_BEARER,
    type = "application/json",
    ...options
  }: TestAppOptions & {
    token?: string;
    type?: string;
  } = {},
): Promise<{
  status: number;
  body: Record<string, unknown>;
  asked: readonly string[];
  text: string;
}> {
  const { app, asked } = await testApp(options);
  const answer = await app.inject({
    method: "POST",
    url: `/v1/tools/${tool}/calls`,
    headers: { ...bearer(token), "content-type": type },
    payload,
  });
  return { status: answer.statusCode, body: answer.json(), asked, text: answer.body };
}

describe("a body", () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ["nothing", "", "unparseable at line 1, column 1"],
    ["a duplicate key", '{"arguments":{},"arguments":{}}', "duplicate_key at line 1, column 17"],
    [
      "a key that is a duplicate only unescaped",
      String.raw`{"arguments":{"a":1,"\u0061":1}}`,
      "duplicate_key",
    ],
    ["__proto__", '{"arguments":{"__proto__":{}}}', "unsafe_key"],
    ["a batch", '[{"arguments":{}}]', "body"],
    ["no object", "null", "body"],
    ["no arguments", "{}", "body.arguments"],
    ["arguments that are a list", '{"arguments":[]}', "body.arguments"],
    ["an unknown field", '{"arguments":{},"actor":"CANARY"}', "unknown field in body"],
    ["a consent id of another type", '{"arguments":{},"consentId":1}', "body.consentId"],
    [
      "an integer that a double cannot hold",
      '{"arguments":{"limit":9007199254740993}}',
      "number_invalid",
    ],
    ["a lone surrogate", String.raw`{"arguments":{"state":"\ud800"}}`, "string_invalid"],
    ["too deep nesting", `{"arguments":${"[".repeat(20)}${"]".repeat(20)}}`, "too_deep"],
    ["trailing bytes", '{"arguments":{}}{}', "unparseable"],
    ["a byte order mark", '\uFEFF{"arguments":{}}', "unparseable"],
  ];
  test.each(refused)("of %s is refused: request.invalid", async (_title, payload, detail) => {
    const { status, body, asked, text } = await call("workbench_list_items", payload);
    expect([status, body["code"], asked]).toEqual([400, "request.invalid", []]);
    expect(body["detail"]).toContain(detail);
    expect(text).not.toContain("CANARY");
  });

  test("of invalid UTF-8 is refused: request.invalid", async () => {
    const { app } = await testApp();
    const payload = Buffer.from([
      ...Buffer.from('{"arguments":{"state":"'),
      0xff,
      0x22,
      0x7d,
      0x7d,
    ]);
    const answer = await app.inject({
      method: "POST",
      url: "/v1/tools/workbench_list_items/calls",
      headers: { ...bearer(AGENT_BEARER), "content-type": "application/json" },
      payload,
    });
    expect(answer.json()).toMatchObject({ code: "request.invalid" });
  });

  test("of more than 128 KiB is refused: request.too_large", async () => {
    const { status, body } = await call(
      "workbench_list_items",
      `{"arguments":{"a":"${"x".repeat(140_000)}"}}`,
    );
    expect([status, body["code"]]).toEqual([413, "request.too_large"]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "of type %s is refused: request.unsupported_media_type",
    async (type) => {
      const { status, body } = await call("workbench_list_items", '{"arguments":{}}', { type });
      expect([status, body["code"]]).toEqual([415, "request.unsupported_media_type"]);
    },
  );
});

describe("arguments", () => {
  test.each([
    ["workbench_list_items", { state: "done" }, "arguments.state"],
    ["workbench_list_items", { limit: 0 }, "arguments.limit"],
    ["workbench_list_items", { limit: 101 }, "arguments.limit"],
    ["workbench_list_items", { limit: 1.5 }, "arguments.limit"],
    ["workbench_list_items", { cursor: "a b" }, "arguments.cursor"],
    ["workbench_list_items", { assignee: null }, "arguments.assignee"],
    ["workbench_list_items", { tenant: "t2" }, "unknown field in arguments"],
    ["workbench_get_item", {}, "arguments.itemId"],
    ["workbench_get_item", { itemId: "../1" }, "arguments.itemId"],
    ["workbench_claim_item", { itemId: "" }, "arguments.itemId"],
    ["workbench_add_note", { itemId: "item-1", text: "" }, "arguments.text"],
    ["workbench_add_note", { itemId: "item-1", text: "x".repeat(4001) }, "arguments.text"],
    ["workbench_add_note", { itemId: "item-1", text: "\u0000" }, "arguments.text"],
    [
      "workbench_submit_change",
      { itemId: "item-1", summary: "s", artifactSha256: "A".repeat(64) },
      "arguments.artifactSha256",
    ],
    ["workbench_ship_item", { ...PUBLISH, channel: "all" }, "arguments.channel"],
    ["workbench_ship_item", { ...PUBLISH, consentId: CONSENT }, "unknown field in arguments"],
    ["workbench_verify_item", { itemId: "item-1", outcome: "verified" }, "arguments.reason"],
  ])(
    "of %s that do not fit are refused: call.arguments_invalid (%#)",
    async (tool, args, detail) => {
      const { status, body, asked } = await call(tool, { arguments: args });
      expect([status, body["code"], body["detail"], asked]).toEqual([
        400,
        "call.arguments_invalid",
        detail,
        [],
      ]);
    },
  );

  test("are the same set of tools as the entry's", () => {
    const record = testRegistry({ now: NOW }).integrations.get("oshun-workbench");
    const names = record?.status === "complete" ? record.entry.tools.map(({ name }) => name) : [];
    expect([...TOOLS.keys()]).toEqual(names);
  });
});

/** A registry whose entry is changed. */
const at = (entry: Parameters<typeof testRegistry>[0]["entry"]) => (): RegistryResult => ({
  ok: true,
  registry: testRegistry({ now: NOW, ...(entry && { entry }) }),
});
const aMonthLater = async (): Promise<number> => NOW + 31 * 86_400_000;
const rolledBack = async (): Promise<{ ok: false; code: "registry.rollback" }> => ({
  ok: false,
  code: "registry.rollback",
});
const broken = async (): Promise<never> => {
  throw new Error("connection to postgres://user:CANARY@host failed");
};

describe("governance at each call", () => {
  const rows: readonly (readonly [string, () => RegistryResult, RefusalCode])[] = [
    ["a registry that cannot be read", refusedRegistry, "registry.unparseable"],
    ["no entry", at((good) => ({ ...good, id: "another" })), "entry.absent"],
    [
      "a quarantined entry",
      at((good) => withValue(good, ["lifecycle", "state"], "quarantined")),
      "lifecycle.quarantined",
    ],
    [
      "a revoked entry",
      at((good) => withValue(good, ["lifecycle", "state"], "revoked")),
      "lifecycle.revoked",
    ],
    [
      "an unhealthy entry",
      at((good) => withValue(good, ["health", "status"], "unhealthy")),
      "health.unhealthy",
    ],
    [
      "an unreviewed change",
      at((good) => withValue(good, ["owner", "team"], "other-team")),
      "review.subject_changed",
    ],
  ];
  test.each(rows)("refuses a read under %s", async (_title, registry, code) => {
    const { status, body, asked } = await call(
      "workbench_list_items",
      { arguments: {} },
      { registry },
    );
    expect([body["code"], body["status"], asked]).toEqual([code, status, []]);
  });

  test("decides at the database's time: health.expired", async () => {
    const { body } = await call(
      "workbench_get_item",
      { arguments: { itemId: "i" } },
      { database: { now: aMonthLater } },
    );
    expect(body["code"]).toBe("health.expired");
  });

  test("refuses an older registry than the database has seen: registry.rollback", async () => {
    const { body, asked } = await call(
      "workbench_get_item",
      { arguments: { itemId: "i" } },
      { database: { rememberRegistry: rolledBack } },
    );
    expect([body["code"], asked]).toEqual(["registry.rollback", []]);
  });

  test("comes before the body: a refused entry says so whatever was sent", async () => {
    const registry = at((good) => withValue(good, ["lifecycle", "state"], "revoked"));
    const { body } = await call("workbench_list_items", "{", { registry });
    expect(body["code"]).toBe("lifecycle.revoked");
  });

  test.each(["workbench_delete_item", "constructor", "__proto__", "workbench_list_items%20"])(
    "refuses the tool %s: call.tool_unpinned",
    async (tool) => {
      const { status, body } = await call(tool, { arguments: {} });
      expect([status, body["code"]]).toEqual([403, "call.tool_unpinned"]);
    },
  );

  test("refuses to run as a read what the entry says publishes: call.annotation_mismatch", async () => {
    const registry = at((good) => renewed(withValue(good, ["tools", 1, "riskClass"], "publish")));
    const { body, asked } = await call(
      "workbench_get_item",
      { arguments: { itemId: "i" } },
      { registry },
    );
    expect([body["code"], asked]).toEqual(["call.annotation_mismatch", []]);
  });
});

describe("permissions", () => {
  test("let a shared credential read and nothing else: auth.scope_insufficient", async () => {
    const read = await call(
      "workbench_get_item",
      { arguments: { itemId: "i" } },
      { token: SHARED_BEARER },
    );
    expect(read.asked).toEqual(["getItem"]);
    for (const tool of ["workbench_claim_item", "workbench_ship_item"]) {
      const { status, body, asked } = await call(tool, { arguments: {} }, { token: SHARED_BEARER });
      expect([status, body["code"], asked]).toEqual([403, "auth.scope_insufficient", []]);
    }
  });

  test("that are missing are named in the challenge: auth.scope_insufficient", async () => {
    const { app } = await testApp({
      database: {
        authenticate: async () => ({
          ok: true,
          value: {
            credentialId: CONSENT,
            class: "agent",
            realm: "local",
            principal: "team:a",
            actor: "agent:1",
            tenant: "t1",
            scopes: ["workbench:read"],
          },
        }),
      },
    });
    const answer = await app.inject({
      method: "POST",
      url: "/v1/tools/workbench_ship_item/calls",
      headers: bearer(AGENT_BEARER),
      payload: { arguments: PUBLISH },
    });
    expect(answer.json()).toMatchObject({ code: "auth.scope_insufficient" });
    expect(answer.headers["www-authenticate"]).toBe(
      'Bearer realm="eve-workbench", error="insufficient_scope", scope="workbench:publish"',
    );
  });
});

describe("a consent id", () => {
  test("given to a tool that asks for none is refused: request.invalid", async () => {
    const { body, asked } = await call("workbench_claim_item", {
      arguments: { itemId: "item-1" },
      consentId: CONSENT,
    });
    expect([body["code"], body["detail"], asked]).toEqual([
      "request.invalid",
      "body.consentId",
      [],
    ]);
  });

  test("of another form than ours is not looked up, and answers as an unknown one: consent.not_found", async () => {
    const database: TestAppOptions["database"] = {
      executeConsent: async () => ({ ok: false, code: "consent.not_found" }),
    };
    const [odd, unknown] = await Promise.all(
      ["consent_0123456789", CONSENT].map((consentId) =>
        call("workbench_ship_item", { arguments: PUBLISH, consentId }, { database }),
      ),
    );
    expect(odd?.status).toBe(404);
    expect(odd?.text).toBe(unknown?.text);
  });
});

describe("what the database refuses", () => {
  const rows: readonly (readonly [RefusalCode, number])[] = [
    ["auth.token_invalid", 401],
    ["item.not_found", 404],
    ["item.state_refused", 409],
    ["consent.not_found", 404],
    ["consent.declined", 409],
    ["consent.expired", 410],
    ["consent.consumed", 409],
    ["consent.voided", 409],
    ["consent.arguments_mismatch", 409],
    ["consent.surface_changed", 409],
    ["consent.item_changed", 409],
    ["consent.quota_exceeded", 429],
    ["consent.integrity", 500],
    ["service.unavailable", 503],
  ];
  test.each(rows)("is answered as it is, with the catalogue's words: %s", async (code, status) => {
    const refuse = async (): Promise<{ ok: false; code: RefusalCode }> => ({ ok: false, code });
    const database = { requestConsent: refuse, executeConsent: refuse };
    const asked = await call("workbench_ship_item", { arguments: PUBLISH }, { database });
    const executed = await call(
      "workbench_ship_item",
      { arguments: PUBLISH, consentId: CONSENT },
      { database },
    );
    expect([asked.status, executed.status]).toEqual([status, status]);
    const { title, remedy } = CATALOGUE[code];
    expect(executed.body).toEqual({ type: `urn:eve:refusal:${code}`, title, status, code, remedy });
  });
});

describe("faults", () => {
  test("of a read are told as nothing done: service.unavailable", async () => {
    const { status, body, text } = await call(
      "workbench_get_item",
      { arguments: { itemId: "i" } },
      { database: { getItem: broken } },
    );
    expect([status, body["code"]]).toEqual([503, "service.unavailable"]);
    expect(text).not.toContain("CANARY");
  });

  test("of an effect are told as an unknown outcome: workbench.unavailable", async () => {
    const database = { claimItem: broken, executeConsent: broken };
    const claim = await call("workbench_claim_item", { arguments: { itemId: "i" } }, { database });
    const ship = await call(
      "workbench_ship_item",
      { arguments: PUBLISH, consentId: CONSENT },
      { database },
    );
    expect([claim.body["code"], ship.body["code"]]).toEqual([
      "workbench.unavailable",
      "workbench.unavailable",
    ]);
  });

  test("after an effect do not hide it: consent.consumed with the outcome", async () => {
    const outcome = {
      itemId: "item-1",
      from: "submitted",
      to: "shipped",
      version: 4,
      executedAt: "2026-12-01T12:00:00Z",
    };
    const { status, body } = await call(
      "workbench_ship_item",
      { arguments: PUBLISH, consentId: CONSENT },
      { database: { executeConsent: async () => ({ ok: true, value: outcome }), getItem: broken } },
    );
    expect([status, body["code"], body["outcome"]]).toEqual([409, "consent.consumed", outcome]);
  });

  test("go to the log by class and code alone", async () => {
    const { app, events } = await testApp({ database: { getItem: broken } });
    await app.inject({
      method: "POST",
      url: "/v1/tools/workbench_get_item/calls?token=CANARY",
      headers: bearer(AGENT_BEARER),
      payload: { arguments: { itemId: "CANARY" } },
    });
    expect(events).toMatchObject([
      { event: "bff.fault", faults: ["ServiceError service.unavailable", "Error"] },
      {
        event: "bff.request",
        route: "/v1/tools/:tool/calls",
        status: 503,
        code: "service.unavailable",
      },
    ]);
    expect(JSON.stringify(events)).not.toContain("CANARY");
  });
});
