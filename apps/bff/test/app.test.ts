import { connect } from "node:net";
import { CATALOGUE } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { AGENT_BEARER, OPERATOR_BEARER, bearer, testApp } from "./test-app.ts";
import { refusedRegistry } from "./test-registry.ts";

describe("probes", () => {
  test("say that the process lives and can decide", async () => {
    const { app } = await testApp();
    expect((await app.inject("/livez")).json()).toEqual({ status: "live" });
    expect((await app.inject("/readyz")).json()).toEqual({ status: "ready" });
  });

  test("say what is missing, to anybody, without a secret: service.unavailable", async () => {
    const { app } = await testApp({
      database: { ready: () => Promise.reject(new Error("CANARY")) },
      registry: refusedRegistry,
    });
    const answer = await app.inject("/readyz");
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      503,
      "missing: database, registry (registry.unparseable)",
    ]);
    expect((await app.inject("/livez")).statusCode).toBe(200);
  });
});

describe("every refusal", () => {
  test("is a problem with a code of the catalogue and its words", async () => {
    const { app } = await testApp();
    const answer = await app.inject({ method: "GET", url: "/v1/whoami" });
    const { title, remedy, http } = CATALOGUE["auth.token_missing"];
    expect(answer.json()).toEqual({
      type: "urn:eve:refusal:auth.token_missing",
      title,
      status: http,
      code: "auth.token_missing",
      remedy,
    });
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test.each([
    ["GET", "/", "request.not_found"],
    ["GET", "/v1/tools/workbench_get_item/calls", "request.not_found"],
    ["PUT", "/v1/items", "request.not_found"],
    ["DELETE", "/v1/whoami", "request.not_found"],
    ["GET", "/v1/whoami/", "request.not_found"],
    ["GET", `/v1/consents/${"a".repeat(500)}`, "request.not_found"],
    ["GET", "/v1/%ff", "request.invalid"],
  ] as const)("of Fastify's own is one too: %s %s", async (method, url, code) => {
    const { app } = await testApp();
    const answer = await app.inject({ method, url, headers: bearer(AGENT_BEARER) });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.json()).toMatchObject({ code, status: answer.statusCode });
    expect(answer.body).not.toContain("CANARY");
  });

  test("of bytes that are no HTTP is one too: request.invalid", async () => {
    const { app } = await testApp();
    await app.listen({ host: "127.0.0.1", port: 0 });
    const address = app.server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const answer = await exchange(address.port, "GET /livez HTTP/1.1\r\nbad header\r\n\r\n");
    await app.close();
    expect(answer).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/,
    );
    expect(answer).toContain('"code":"request.invalid"');
  });
});

describe("the limit by address", () => {
  test("comes before authentication, counts what is not found too, and leaves probes alone: request.rate_limited", async () => {
    let looked = 0;
    const { app } = await testApp({
      rateLimit: { max: 2, windowMs: 60_000 },
      database: {
        authenticate: async () => {
          looked += 1;
          return { ok: false, code: "auth.token_invalid" };
        },
      },
    });
    await app.inject({ url: "/v1/whoami", headers: bearer("x") });
    await app.inject("/nowhere");
    const limited = await app.inject({ url: "/v1/whoami", headers: bearer("x") });
    expect([limited.statusCode, looked]).toEqual([429, 1]);
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
    expect(limited.json()).toMatchObject({ code: "request.rate_limited" });
    expect((await app.inject("/livez")).statusCode).toBe(200);
    const other = await app.inject({ url: "/v1/whoami", remoteAddress: "10.0.0.9" });
    expect(other.json()).toMatchObject({ code: "auth.token_missing" });
  });

  test("takes an IPv6 address by its /64: request.rate_limited", async () => {
    const { app } = await testApp({ rateLimit: { max: 1, windowMs: 60_000 } });
    await app.inject({ url: "/nowhere", remoteAddress: "2001:db8::1" });
    const answer = await app.inject({ url: "/nowhere", remoteAddress: "2001:db8::ffff" });
    expect(answer.json()).toMatchObject({ code: "request.rate_limited" });
  });
});

describe("decisions over HTTP", () => {
  const CONSENT = "5f0c2f5e-3f6f-4c43-9d0b-0d9a2f9f7a11";
  const payload = { digest: "d".repeat(64), reason: "fine" };

  test.each(["approve", "decline"])(
    "to %s with an agent's credential are refused, the same for every id: consent.approver_not_operator",
    async (decision) => {
      const { app, asked } = await testApp();
      const bodies = await Promise.all(
        [CONSENT, "unknown"].map(
          async (id) =>
            (
              await app.inject({
                method: "POST",
                url: `/v1/consents/${id}/${decision}`,
                headers: bearer(AGENT_BEARER),
                payload,
              })
            ).body,
        ),
      );
      expect(bodies[0]).toBe(bodies[1]);
      expect(bodies[0]).toContain('"consent.approver_not_operator"');
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ["no digest", { reason: "r" }, "body.digest"],
    ["no reason", { digest: payload.digest }, "body.reason"],
    ["an empty reason", { ...payload, reason: "" }, "body.reason"],
    ["a field more", { ...payload, approver: "x" }, "unknown field in body"],
  ])("with %s are refused: request.invalid", async (_title, body, detail) => {
    const { app, asked } = await testApp();
    const answer = await app.inject({
      method: "POST",
      url: `/v1/consents/${CONSENT}/approve`,
      headers: bearer(OPERATOR_BEARER),
      payload: body,
    });
    expect(answer.json()).toMatchObject({ code: "request.invalid", detail });
    expect(asked).toEqual([]);
  });

  test("answer the same bytes for an unknown id, another's, and one of no form: consent.not_found", async () => {
    const { app } = await testApp({
      database: {
        findConsent: async () => ({ ok: false, code: "consent.not_found", consentId: CONSENT }),
      },
    });
    const bodies = await Promise.all(
      [CONSENT, "x", "%00", "9".repeat(80)].map(
        async (id) =>
          (await app.inject({ url: `/v1/consents/${id}`, headers: bearer(AGENT_BEARER) })).body,
      ),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('"consent.not_found"');
  });
});

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => void socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (answer += chunk));
    socket.on("close", () => resolve(answer)).on("error", reject);
  });
}
