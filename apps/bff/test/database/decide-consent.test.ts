import { approvalMac } from "@eve/consent-binding";
import { formatInstant, instantMs } from "@eve/registry-schema";
import { Buffer } from "node:buffer";
import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvalKey } from "../../src/database/approval-key.ts";
import type { Caller, Decision } from "../../src/database/database.ts";
import { approve, approved, type Requested, requested } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, required, type Store, TENANT, value } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

async function decide(
  { view, operator }: Requested,
  change: Partial<Decision> = {},
  caller: Caller = operator,
): Promise<string> {
  const decision: Decision = {
    decision: "approve",
    digest: view.digest,
    reason: "reviewed",
    ...change,
  };
  return codeOf(await store.bff.decideConsent(caller, view.id, decision));
}

const stateOf = async ({ view, operator }: Requested): Promise<string> =>
  value(await store.bff.findConsent(operator, view.id)).state;

test("an approval shows who approved, lives ten minutes and is told in the audit with its reason", async () => {
  const asked = await requested(store);
  const view = await approve(store, asked);
  expect(view).toMatchObject({
    state: "approved",
    decidedBy: asked.operator.principal,
    outcome: null,
  });
  const now = await store.bff.now();
  expect(instantMs(view.expiresAt) - now).toBeGreaterThan(590_000);
  expect(instantMs(view.expiresAt) - now).toBeLessThanOrEqual(600_000);
  const rows = (await store.dump())["audit"]?.filter((row) => row.includes("consent.approved"));
  expect(rows?.at(-1)).toContain("reviewed");
});

test("stores the MAC of the package over digest, approver and time, under the key of this consent alone", async () => {
  const { view, operator } = await approved(store);
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [TENANT]);
  const { rows } = await store.owner.query<{ mac: string; at: Date; same: boolean }>(
    "select approval_mac as mac, decided_at as at, bff.approval_mac($2, c) = approval_mac as same from bff.consents c where id = $1",
    [view.id, approvalKey(store.keys, view.id)],
  );
  await store.owner.query("commit");
  const { mac, at, same } = required(rows[0]);
  const facts = {
    digest: view.digest,
    approver: operator.principal,
    at: formatInstant(at.getTime()),
  };
  expect(mac).toBe(approvalMac(approvalKey(store.keys, view.id), facts));
  expect(same).toBe(true);
});

test("the database's HMAC-SHA256 is that of RFC 2104", async () => {
  for (const length of [0, 1, 32, 63, 64]) {
    const [key, message] = [randomBytes(length), Buffer.from("what do ya want for nothing?")];
    const { rows } = await store.owner.query("select bff.hmac_sha256($1, $2) as mac", [
      key,
      message,
    ]);
    expect(rows).toEqual([{ mac: createHmac("sha256", key).update(message).digest("hex") }]);
  }
});

describe("refuses a decision", () => {
  test.each(["agent", "shared"] as const)(
    "of an %s bearer, for a known consent and an unknown one: consent.approver_not_operator (ADR-0092-407)",
    async (credentialClass) => {
      const asked = await requested(store);
      const caller = await store.caller(credentialClass);
      const unknown = {
        ...asked,
        view: { ...asked.view, id: "11111111-1111-4111-8111-111111111111" },
      };
      expect(await decide(asked, {}, caller)).toBe("consent.approver_not_operator");
      expect(await decide(unknown, {}, caller)).toBe("consent.approver_not_operator");
      expect(await decide(asked, { decision: "decline" }, asked.agent)).toBe(
        "consent.approver_not_operator",
      );
      expect(await stateOf(asked)).toBe("pending");
    },
  );

  test("of the requester's principal with an operator's credential: consent.self_approval", async () => {
    const asked = await requested(store);
    const { principal } = asked.agent;
    const themself = await store.caller("operator", { principal });
    expect(await decide(asked, {}, themself)).toBe("consent.self_approval");
    const shouting = await store.caller("operator", { principal: principal.toUpperCase() });
    expect(await decide(asked, {}, shouting)).toBe("consent.self_approval");
  });

  test("of another tenant's operator: consent.not_found", async () => {
    const stranger = await store.caller("operator", { tenant: "globex" });
    expect(await decide(await requested(store), {}, stranger)).toBe("consent.not_found");
  });

  test.each(["", " ", "x".repeat(1001), "no\u0000body"])(
    "with the reason %j: request.invalid",
    async (reason) => {
      const asked = await requested(store);
      expect(await decide(asked, { reason })).toBe("request.invalid");
      expect(await stateOf(asked)).toBe("pending");
    },
  );

  test("of a credential that has been revoked: auth.token_invalid", async () => {
    const asked = await requested(store);
    await store.owner.query("update bff.credentials set revoked_at = bff.clock() where id = $1", [
      asked.operator.credentialId,
    ]);
    expect(await decide(asked)).toBe("auth.token_invalid");
  });

  test("about what was declined or approved already: consent.declined, consent.decided (CS-01, CS-02)", async () => {
    const [declined, twice] = [await requested(store), await approved(store)];
    expect(await decide(declined, { decision: "decline" })).toBe("ok");
    expect(await decide(declined)).toBe("consent.declined");
    expect(await decide(twice)).toBe("consent.decided");
    expect(await decide(twice, { decision: "decline" })).toBe("consent.decided");
  });

  test("about what was approved already, with the state alone, and an audit row: consent.decided", async () => {
    const { view, operator } = await approved(store);
    const decision = { decision: "decline", digest: view.digest, reason: "late" } as const;
    expect(await store.bff.decideConsent(operator, view.id, decision)).toEqual({
      ok: false,
      code: "consent.decided",
      state: "approved",
      consentId: view.id,
    });
    const rows = (await store.dump())["audit"]?.filter((row) => row.includes("consent.decided"));
    expect(rows?.filter((row) => row.includes(view.id))).toHaveLength(1);
  });

  test("about what was executed, with the recorded outcome: consent.consumed (CS-07)", async () => {
    const asked = await approved(store);
    const outcome = value(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call));
    const decision = { decision: "approve", digest: asked.view.digest, reason: "again" } as const;
    const answer = await store.bff.decideConsent(asked.operator, asked.view.id, decision);
    expect(answer).toEqual({
      ok: false,
      code: "consent.consumed",
      outcome,
      consentId: asked.view.id,
    });
  });

  test("to approve what changed since: consent.item_changed, then consent.voided", async () => {
    const asked = await requested(store);
    await store.touchItem(TENANT, asked.itemId);
    expect(await decide(asked)).toBe("consent.item_changed");
    expect(await decide(asked)).toBe("consent.voided");
  });

  test.each([
    [-1, "ok"],
    [0, "consent.expired"],
    [1, "consent.expired"],
  ] as const)(
    "by the database's clock, %d ms from the end of the request: %s (D29)",
    async (ms, code) => {
      const asked = await requested(store);
      await store.setClock({ at: formatInstant(instantMs(asked.view.expiresAt) + ms) });
      expect(await decide(asked)).toBe(code);
      await store.setClock({ offset: 0 });
    },
  );

  test("of which each is told in the audit with its code", async () => {
    const asked = await requested(store);
    await decide(asked, { digest: "0".repeat(64) });
    const rows = (await store.dump())["audit"]?.filter((row) => row.includes(asked.view.id));
    expect(rows).toHaveLength(1);
    expect(rows?.[0]).toContain("consent.decision_refused");
    expect(rows?.[0]).toContain("consent.digest_mismatch");
  });
});
