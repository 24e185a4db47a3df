import { expect, test } from "vitest";
import type { Caller } from "../../src/database/database.ts";
import { AGENT_BEARER, bearer, OPERATOR_BEARER, testApp } from "../test-app.ts";
import { ORIGIN } from "../test-registry.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const AGENT: Caller = {
  credentialId: ID,
  class: "agent",
  realm: "local",
  principal: "team:a",
  actor: "agent:1",
  tenant: "t1",
  scopes: ["workbench:read", "workbench:write", "workbench:publish"],
};
const decision = { digest: "a".repeat(64), reason: "r" };
const agent = bearer(AGENT_BEARER);
const operator = bearer(OPERATOR_BEARER);

test.each([
  ["GET", "/v1/whoami", agent, undefined],
  ["POST", "/v1/tools/workbench_list_items/calls", agent, { arguments: {} }],
  [
    "POST",
    "/v1/tools/workbench_ship_item/calls",
    agent,
    { arguments: { itemId: "item-1", channel: "beta" }, consentId: ID },
  ],
  ["GET", `/v1/consents/${ID}`, operator, undefined],
  ["POST", `/v1/consents/${ID}/approve`, operator, decision],
  ["POST", `/v1/consents/${ID}/decline`, operator, decision],
  ["POST", "/v1/items", operator, { title: "t" }],
] as const)(
  "%s %s asks a rolled back database for nothing, whoever was known before: audit.rolled_back",
  async (method, url, headers, payload) => {
    const used: string[] = [];
    const { app, asked } = await testApp({
      auditRefusal: () => "audit.rolled_back",
      database: {
        authenticate: async () => {
          used.push("authenticate");
          return { ok: true, value: AGENT };
        },
        recall: () => AGENT,
        executeAtOnce: async () => {
          used.push("executeAtOnce");
          return undefined;
        },
      },
    });
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
    await app.close();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: "audit.rolled_back" });
    expect([...used, ...asked]).toEqual([]);
  },
);

test("the decision page shows and decides nothing of it either: audit.rolled_back", async () => {
  const { app, asked } = await testApp({ auditRefusal: () => "audit.rolled_back" });
  for (const form of [
    { step: "show", credential: OPERATOR_BEARER },
    { step: "approve", credential: OPERATOR_BEARER, ...decision },
  ]) {
    const response = await app.inject({
      method: "POST",
      url: `/consents/${ID}`,
      headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(form).toString(),
    });
    expect(response.statusCode).toBe(503);
    expect(response.body).toContain("audit.rolled_back");
  }
  await app.close();
  expect(asked).toEqual([]);
});

test("readiness says what it waits for, and liveness is another matter", async () => {
  const { app } = await testApp({ auditRefusal: () => "audit.checkpoint_unreadable" });
  const [ready, live] = [await app.inject("/readyz"), await app.inject("/livez")];
  await app.close();
  expect(ready.json()).toMatchObject({
    code: "service.unavailable",
    detail: "missing: audit (audit.checkpoint_unreadable)",
  });
  expect(live.statusCode).toBe(200);
});
