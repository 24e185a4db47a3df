import { sha256 } from "@eve/canonical-json";
import { formatInstant, instantMs } from "@eve/registry-schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../src/database/client.ts";
import { executeConsent } from "../../src/database/execute-consent.ts";
import type { PublishCall } from "../../src/database/database.ts";
import { approve, approved, type Requested, requested, verifyCall } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, open, type Store, TENANT, value } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const BLOCKED_BY = "select from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))";

type Execution = Awaited<ReturnType<Store["bff"]["executeConsent"]>>;

function execute(
  { agent, view, call }: Requested,
  change: Partial<PublishCall> = {},
): Promise<Execution> {
  return store.bff.executeConsent(agent, view.id, { ...call, ...change });
}

async function ownerRows(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [TENANT]);
  const { rows } = await store.owner.query(text, [...values]);
  await store.owner.query("commit");
  return rows;
}

const audited = (id: string): Promise<readonly unknown[]> =>
  ownerRows("select action, code from bff.audit where subject = $1 order by id", [id]);

test("observes the single real shipped transition, and none before the approval is used (ADR-0092-408)", async () => {
  const asked = await approved(store);
  const { itemId, agent, view } = asked;
  const shipped = (): Promise<readonly unknown[]> =>
    ownerRows(
      "select actor, from_state, to_state, consent from bff.history where item = $1 and to_state = 'shipped'",
      [itemId],
    );
  expect([await shipped(), (await store.itemOf(TENANT, itemId)).state]).toEqual([[], "submitted"]);
  const before = await store.itemOf(TENANT, itemId);
  const outcome = value(await execute(asked));
  expect(outcome).toEqual({
    itemId,
    from: "submitted",
    to: "shipped",
    version: before.version + 1,
    executedAt: expect.any(String),
  });
  for (let count = 0; count < 3; count += 1) await execute(asked);
  expect(await shipped()).toEqual([
    { actor: agent.actor, from_state: "submitted", to_state: "shipped", consent: view.id },
  ]);
  expect(await store.itemOf(TENANT, itemId)).toEqual({
    state: "shipped",
    version: before.version + 1,
  });
  expect(value(await store.bff.getItem(agent, itemId)).channel).toBe("beta");
});

test("closes a shipped item once, by its own approval (ADR-0092-407)", async () => {
  const shipped = await approved(store);
  value(await execute(shipped));
  const call = verifyCall(shipped.itemId);
  const view = value(await store.bff.requestConsent(shipped.agent, call));
  const asked = { ...shipped, call, view };
  expect(codeOf(await execute(asked))).toBe("consent.pending");
  await approve(store, asked);
  const changed = { arguments: { ...call.arguments, reason: "another" } };
  expect(codeOf(await execute(asked, changed))).toBe("consent.arguments_mismatch");
  expect(value(await execute(asked))).toMatchObject({ from: "shipped", to: "verified" });
  expect(codeOf(await execute(asked))).toBe("consent.consumed");
});

test("answers a replay with the recorded outcome: consent.consumed (ADR-0092-407, CB-01, D26)", async () => {
  const asked = await approved(store);
  const outcome = value(await execute(asked));
  expect(await execute(asked)).toEqual({
    ok: false,
    code: "consent.consumed",
    outcome,
    consentId: asked.view.id,
  });
  expect(value(await store.bff.findConsent(asked.agent, asked.view.id))).toMatchObject({
    state: "consumed",
    outcome,
  });
});

describe("refuses and keeps the approval usable (D27)", () => {
  const changes: readonly (readonly [string, (call: PublishCall) => Partial<PublishCall>])[] = [
    [
      "a changed argument (ADR-0092-407)",
      (call) => ({ arguments: { ...call.arguments, channel: "stable" } }),
    ],
    ["one more argument", (call) => ({ arguments: { ...call.arguments, force: true } })],
    ["another tool", () => ({ tool: "workbench_verify_item" })],
    ["another integration", () => ({ integration: "another" })],
    [
      "an argument with NUL",
      (call) => ({ arguments: { ...call.arguments, channel: "beta\u0000" } }),
    ],
  ];
  test.each(changes)("%s: consent.arguments_mismatch", async (_, change) => {
    const asked = await approved(store);
    expect(codeOf(await execute(asked, change(asked.call)))).toBe("consent.arguments_mismatch");
    expect(codeOf(await execute(asked))).toBe("ok");
  });

  test("another actor, another tenant, an operator, the shared bearer and an unknown consent, with one answer: consent.not_found", async () => {
    const asked = await approved(store);
    const { actor } = asked.agent;
    const others = [
      await store.caller("agent"),
      await store.caller("agent", { actor, principal: "another@eve.example" }),
      await store.caller("agent", { tenant: "globex", actor, principal: asked.agent.principal }),
      await store.caller("operator", { actor }),
      await store.caller("shared", { actor }),
    ];
    for (const agent of others)
      expect(await execute({ ...asked, agent })).toEqual({ ok: false, code: "consent.not_found" });
    const unknown = { ...asked.view, id: "11111111-1111-4111-8111-111111111111" };
    expect(await execute({ ...asked, view: unknown })).toEqual({
      ok: false,
      code: "consent.not_found",
    });
    expect(codeOf(await execute(asked))).toBe("ok");
  });

  test.each([
    "' OR 1=1--",
    "",
    "{11111111-1111-4111-8111-111111111111}",
    "11111111-1111-4111-8111-11111111111A",
  ])("an id that is none, %j: consent.not_found (CS-13)", async (id) => {
    const asked = await approved(store);
    expect(codeOf(await execute({ ...asked, view: { ...asked.view, id } }))).toBe(
      "consent.not_found",
    );
    expect(codeOf(await store.bff.findConsent(asked.agent, id))).toBe("consent.not_found");
    const decision = { decision: "approve", digest: asked.view.digest, reason: "r" } as const;
    expect(codeOf(await store.bff.decideConsent(asked.operator, id, decision))).toBe(
      "consent.not_found",
    );
  });
});

describe("voids the approval for", () => {
  test("a stale row: consent.item_changed, then consent.voided", async () => {
    const asked = await approved(store);
    await store.touchItem(TENANT, asked.itemId);
    expect(codeOf(await execute(asked))).toBe("consent.item_changed");
    expect(codeOf(await execute(asked))).toBe("consent.voided");
    expect((await audited(asked.view.id)).slice(1)).toEqual([
      { action: "consent.voided", code: "consent.item_changed" },
      { action: "consent.execution_refused", code: "consent.voided" },
    ]);
  });

  const surfaces: readonly (readonly [string, Partial<PublishCall>])[] = [
    ["a changed pin", { toolPins: { inputSchema: "another" } }],
    ["a changed entry", { entryDigest: sha256("another") }],
  ];
  test.each(surfaces)("%s: consent.surface_changed, then consent.voided", async (_, change) => {
    const asked = await approved(store);
    expect(codeOf(await execute(asked, change))).toBe("consent.surface_changed");
    expect(codeOf(await execute(asked))).toBe("consent.voided");
  });
});

test("writes one audit row for what was done and for each refusal, in their order", async () => {
  const asked = await approved(store);
  await execute(asked, { tool: "another" });
  await execute(asked);
  await execute(asked);
  expect(await audited(asked.view.id)).toEqual([
    { action: "consent.approved", code: null },
    { action: "consent.execution_refused", code: "consent.arguments_mismatch" },
    { action: "consent.consumed", code: null },
    { action: "consent.execution_refused", code: "consent.consumed" },
  ]);
  expect((await audited(asked.itemId)).at(-1)).toEqual({ action: "item.shipped", code: null });
});

test("answers a pending request and a declined one: consent.pending, consent.declined", async () => {
  const asked = await requested(store);
  expect(codeOf(await execute(asked))).toBe("consent.pending");
  const { id, digest } = asked.view;
  value(
    await store.bff.decideConsent(asked.operator, id, {
      decision: "decline",
      digest,
      reason: "no",
    }),
  );
  expect(codeOf(await execute(asked))).toBe("consent.declined");
  expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
});

describe("by the database's clock", () => {
  test.each([
    ["a request", requested, -1, "consent.pending"],
    ["a request", requested, 0, "consent.expired"],
    ["a request", requested, 1, "consent.expired"],
    ["an approval", approved, -1, "ok"],
    ["an approval", approved, 0, "consent.expired"],
    ["an approval", approved, 1, "consent.expired"],
  ] as const)("%s (%o) at %d ms from its end: %s (CS-04, D29)", async (_, prepare, ms, code) => {
    const asked = await prepare(store);
    await store.setClock({ at: formatInstant(instantMs(asked.view.expiresAt) + ms) });
    try {
      expect(codeOf(await execute(asked))).toBe(code);
      const { state } = value(await store.bff.findConsent(asked.agent, asked.view.id));
      expect(state === "expired").toBe(code === "consent.expired");
    } finally {
      await store.setClock({ offset: 0 });
    }
  });

  test("reads it after the locks: an approval that ran out while its execution waited is expired: consent.expired", async () => {
    // Approved 598.5 s ago, so that it runs out in real time, while something else holds the item.
    await store.setClock({ offset: -598_500 });
    const asked = await approved(store);
    await store.setClock({ offset: 0 });
    const holder = await open(store.database.ownerUrl);
    const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid;
    await holder.query("begin");
    await holder.query("select set_config('eve.tenant', $1, true)", [TENANT]);
    await holder.query("select from bff.items where id = $1 for update", [asked.itemId]);
    expect(await store.bff.now()).toBeLessThan(instantMs(asked.view.expiresAt));
    const waiting = execute(asked);
    await expect
      .poll(() => store.bff.now(), { timeout: 10_000 })
      .toBeGreaterThan(instantMs(asked.view.expiresAt));
    await expect.poll(async () => (await holder.query(BLOCKED_BY, [pid])).rowCount).toBe(1);
    await holder.query("commit");
    expect(codeOf(await waiting)).toBe("consent.expired");
    await holder.end();
  });
});

test("lets a credential that was revoked since it was read do nothing: auth.token_invalid", async () => {
  const asked = await approved(store);
  await store.owner.query("update bff.credentials set revoked_at = bff.clock() where id = $1", [
    asked.agent.credentialId,
  ]);
  expect(codeOf(await execute(asked))).toBe("auth.token_invalid");
  expect(codeOf(await store.bff.claimItem(asked.agent, asked.itemId))).toBe("auth.token_invalid");
});

describe("executes nothing that was altered behind the service", () => {
  const alterations: readonly (readonly [string, string])[] = [
    [
      "binding",
      "update bff.consents set binding = convert_to(replace(convert_from(binding, 'UTF8'), 'beta', 'stab'), 'UTF8') where id = $1",
    ],
    ["approver", "update bff.consents set decided_by = 'mallory' where id = $1"],
    [
      "time of the approval",
      "update bff.consents set decided_at = decided_at + interval '1 second', expires_at = expires_at + interval '1 second' where id = $1",
    ],
    [
      "deadline",
      "update bff.consents set expires_at = expires_at + interval '1 year' where id = $1",
    ],
    ["actor", "update bff.consents set actor = 'mallory' where id = $1"],
    ["approval", "update bff.consents set approval_mac = repeat('0', 64) where id = $1"],
  ];
  test.each(alterations)("its %s: consent.integrity (CS-10, CS-11)", async (what, text) => {
    const asked = await approved(store);
    await store.unguarded(TENANT, text, [asked.view.id]);
    const agent =
      what === "actor" ? await store.caller("agent", { actor: "mallory" }) : asked.agent;
    expect(codeOf(await execute({ ...asked, agent }))).toBe("consent.integrity");
    expect((await store.itemOf(TENANT, asked.itemId)).state).toBe("submitted");
  });

  test("an approval written without the key: consent.integrity", async () => {
    const asked = await requested(store);
    await store.unguarded(
      TENANT,
      "update bff.consents set state = 'approved', decided_at = bff.clock(), decided_by = 'olga', decision_reason = 'r', approval_mac = repeat('0', 64), expires_at = bff.clock() + interval '10 minutes' where id = $1",
      [asked.view.id],
    );
    expect(codeOf(await execute(asked))).toBe("consent.integrity");
  });

  test("another consent's approval: consent.integrity", async () => {
    const [one, other] = [await approved(store), await requested(store)];
    await store.unguarded(
      TENANT,
      "update bff.consents t set state = 'approved', decided_at = s.decided_at, decided_by = s.decided_by, decision_reason = s.decision_reason, approval_mac = s.approval_mac, expires_at = s.expires_at from bff.consents s where s.id = $1 and t.id = $2",
      [one.view.id, other.view.id],
    );
    expect(codeOf(await execute(other))).toBe("consent.integrity");
  });

  test("a consumed approval made approved again: consent.integrity", async () => {
    const asked = await approved(store);
    value(await execute(asked));
    await store.unguarded(
      TENANT,
      "update bff.consents set state = 'approved', outcome = null, closed_at = null where id = $1",
      [asked.view.id],
    );
    expect(codeOf(await execute(asked))).toBe("consent.integrity");
  });
});

test("takes one round trip", async () => {
  const asked = await approved(store);
  const client = connect(store.database.url);
  let queries = 0;
  const counting = client.withPlugin({
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  expect(
    codeOf(await executeConsent(counting, store.keys, asked.agent, asked.view.id, asked.call)),
  ).toBe("ok");
  expect(queries).toBe(1);
  await client.destroy();
});
