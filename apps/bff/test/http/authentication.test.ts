import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { readBearer } from "../../src/http/authentication.ts";
import {
  AGENT_BEARER,
  LIVE_BEARER,
  OPERATOR_BEARER,
  SHARED_BEARER,
  bearer,
  testApp,
} from "../test-app.ts";

const WHOAMI = { method: "GET", url: "/v1/whoami" } as const;

describe("a bearer", () => {
  test("is read from the one Authorization line, whatever its case", () => {
    expect(readBearer(["Host", "h", "aUTHORIZATION", "bearer abc"])).toEqual({
      ok: true,
      value: "abc",
    });
  });

  test.each([
    ["no line", [], "auth.token_missing"],
    ["a value that is named so", ["X", "authorization"], "auth.token_missing"],
    ["two lines", ["authorization", "Bearer a", "Authorization", "Bearer a"], "request.invalid"],
    ["another scheme", ["authorization", "Basic abc"], "auth.token_invalid"],
    ["no token", ["authorization", "Bearer "], "auth.token_invalid"],
    ["two tokens", ["authorization", "Bearer a, Bearer b"], "auth.token_invalid"],
    ["two spaces", ["authorization", "Bearer  a"], "auth.token_invalid"],
  ])("is refused for %s: %s", (_title, lines, code) => {
    expect(readBearer(lines)).toMatchObject({ ok: false, code });
  });
});

describe("authentication", () => {
  test("tells who a credential acts for", async () => {
    const { app } = await testApp();
    const answer = await app.inject({ ...WHOAMI, headers: bearer(AGENT_BEARER) });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(answer.json()).toEqual({
      actor: "agent:1",
      principal: "team:a",
      tenant: "t1",
      scopes: ["workbench:read", "workbench:write", "workbench:publish"],
      class: "agent",
      realm: "local",
    });
  });

  test.each([
    ["none", {}, 401, "auth.token_missing", 'Bearer realm="eve-workbench"'],
    [
      "an unknown one",
      bearer("eve_local_agent_x"),
      401,
      "auth.token_invalid",
      'Bearer realm="eve-workbench", error="invalid_token"',
    ],
    [
      "one of another realm",
      bearer(LIVE_BEARER),
      401,
      "credential.realm_mismatch",
      'Bearer realm="eve-workbench", error="invalid_token"',
    ],
  ])("refuses a request with credential %s", async (_title, headers, status, code, challenge) => {
    const { app } = await testApp();
    const answer = await app.inject({ ...WHOAMI, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.headers["www-authenticate"]).toBe(challenge);
    expect(answer.json()).toMatchObject({ code, status });
  });

  test("refuses a second Authorization header on the wire: request.invalid", async () => {
    const { app } = await testApp();
    await app.listen({ host: "127.0.0.1", port: 0 });
    const [status, body] = await getRaw(app.server.address(), [
      "Authorization",
      `Bearer ${AGENT_BEARER}`,
      "Authorization",
      `Bearer ${OPERATOR_BEARER}`,
    ]);
    await app.close();
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: "request.invalid" });
    expect(body).not.toContain("CANARY");
  });

  test("comes before the body is read: auth.token_missing", async () => {
    const { app } = await testApp();
    const payload = "x".repeat(300_000);
    const answer = await app.inject({
      method: "POST",
      url: "/v1/items",
      headers: { "content-type": "text/plain" },
      payload,
    });
    expect(answer.json()).toMatchObject({ code: "auth.token_missing" });
  });

  test("refuses an operator on a tool's route, and a shared or agent credential on an operator's: auth.realm_refused", async () => {
    const { app, asked } = await testApp();
    const tool = { method: "POST", url: "/v1/tools/workbench_list_items/calls" } as const;
    const codes = await Promise.all([
      app.inject({ ...tool, headers: bearer(OPERATOR_BEARER), payload: { arguments: {} } }),
      app.inject({ method: "POST", url: "/v1/items", headers: bearer(AGENT_BEARER), payload: {} }),
      app.inject({ method: "POST", url: "/v1/items", headers: bearer(SHARED_BEARER), payload: {} }),
    ]);
    expect(codes.map((answer) => answer.json<{ code: string }>().code)).toEqual([
      "auth.realm_refused",
      "auth.realm_refused",
      "auth.realm_refused",
    ]);
    expect(asked).toEqual([]);
  });
});

function getRaw(
  address: AddressInfo | string | null,
  headers: string[],
): Promise<readonly [number | undefined, string]> {
  if (address === null || typeof address === "string") throw new Error("no port");
  const { port } = address;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: "127.0.0.1", port, path: "/v1/whoami", headers: ["Host", "x", ...headers] },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (body += chunk));
        response.on("end", () => resolve([response.statusCode, body]));
      },
    );
    sent.on("error", reject).end();
  });
}
