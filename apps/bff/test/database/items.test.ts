import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller, ItemPage } from "../../src/database/database.ts";
import { codeOf } from "./codes.ts";
import { createStore, open, type Store, TENANT, value } from "./store.ts";

let store: Store;
let operator: Caller;
let agent: Caller;
beforeAll(async () => {
  store = await createStore();
  [operator, agent] = [await store.caller("operator"), await store.caller("agent")];
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test("an item goes its way, with a version and a step of history for each move", async () => {
  const { bff } = store;
  const made = value(
    await bff.createItem(operator, { title: "Fix the pump", description: "It leaks." }),
  );
  expect(made).toMatchObject({
    title: "Fix the pump",
    state: "queued",
    assignee: null,
    version: 1,
  });
  expect(made.id).toMatch(/^item-[0-9a-f]{20}$/);
  const claimed = value(await bff.claimItem(agent, made.id));
  expect(claimed).toMatchObject({ state: "claimed", assignee: agent.actor, version: 2 });
  const submitted = value(await bff.submitChange(agent, made.id, "Sealed", "b".repeat(64)));
  expect(submitted).toMatchObject({ state: "submitted", version: 3, createdAt: made.createdAt });
  const note = value(await bff.addNote(agent, made.id, "Tested at 3 bar"));
  const detail = value(await bff.getItem(agent, made.id));
  expect(detail).toMatchObject({
    ...submitted,
    description: "It leaks.",
    channel: null,
    notes: [note],
  });
  expect(detail.change).toEqual({
    summary: "Sealed",
    artifactSha256: "b".repeat(64),
    submittedAt: submitted.updatedAt,
  });
  expect(detail.history).toEqual([
    { actor: operator.actor, from: null, to: "queued", at: made.createdAt },
    { actor: agent.actor, from: "queued", to: "claimed", at: claimed.updatedAt },
    { actor: agent.actor, from: "claimed", to: "submitted", at: submitted.updatedAt },
  ]);
  const rows = (await store.dump())["audit"]?.filter((row) => row.includes(made.id));
  expect(rows).toHaveLength(4);
});

describe("refuses", () => {
  test("to claim what is claimed, or to submit another's: item.state_refused", async () => {
    const [id, other] = [await store.item(TENANT, "claimed"), await store.caller("agent")];
    expect(codeOf(await store.bff.claimItem(other, id))).toBe("item.state_refused");
    expect(codeOf(await store.bff.submitChange(other, id, "s", "c".repeat(64)))).toBe(
      "item.state_refused",
    );
  });

  test("one of two claims at once: item.state_refused", async () => {
    const id = await store.item(TENANT, "queued");
    const both = [agent, await store.caller("agent")].map((one) => store.bff.claimItem(one, id));
    expect((await Promise.all(both)).map(codeOf).toSorted()).toEqual(["item.state_refused", "ok"]);
  });

  test("another tenant's item as an unknown one: item.not_found", async () => {
    const [id, stranger] = [await store.item(), await store.caller("agent", { tenant: "globex" })];
    for (const item of [id, "item-unknown", "a\u0000b", "'; drop table bff.items"]) {
      expect(codeOf(await store.bff.getItem(stranger, item))).toBe("item.not_found");
    }
    expect(codeOf(await store.bff.claimItem(stranger, id))).toBe("item.not_found");
    expect(codeOf(await store.bff.addNote(stranger, id, "hello"))).toBe("item.not_found");
    expect(codeOf(await store.bff.submitChange(stranger, id, "s", "c".repeat(64)))).toBe(
      "item.not_found",
    );
    expect(value(await store.bff.listItems(stranger, { limit: 100 })).items).toEqual([]);
  });

  test.each([
    ["shared", "auth.scope_insufficient"],
    ["operator", "auth.realm_refused"],
  ] as const)("a write of a %s credential: %s", async (credentialClass, code) => {
    const [id, caller] = [await store.item(TENANT, "queued"), await store.caller(credentialClass)];
    expect(codeOf(await store.bff.claimItem(caller, id))).toBe(code);
    expect(codeOf(await store.bff.addNote(caller, id, "hello"))).toBe(code);
    expect(codeOf(await store.bff.submitChange(caller, id, "s", "c".repeat(64)))).toBe(code);
  });

  test.each(["agent", "shared"] as const)(
    "an item made by an %s: auth.realm_refused",
    async (credentialClass) => {
      const caller = await store.caller(credentialClass);
      expect(codeOf(await store.bff.createItem(caller, { title: "t", description: "" }))).toBe(
        "auth.realm_refused",
      );
    },
  );

  test("text that does not fit: request.invalid", async () => {
    const id = await store.item(TENANT, "claimed");
    for (const text of ["", "x".repeat(4001), "a\u0000b", "\udc00"])
      expect(codeOf(await store.bff.addNote(agent, id, text))).toBe("request.invalid");
    expect(codeOf(await store.bff.createItem(operator, { title: "", description: "" }))).toBe(
      "request.invalid",
    );
  });
});

test("pages through all items once, newest change first, by state and by assignee", async () => {
  const caller = await store.caller("operator", { tenant: "initech" });
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) ids.push(await store.item("initech", "queued"));
  const one = await store.caller("agent", { tenant: "initech" });
  value(await store.bff.claimItem(one, ids[0] ?? ""));
  const pages: ItemPage[] = [];
  let cursor: string | null = null;
  do {
    const page: ItemPage = value(
      await store.bff.listItems(caller, { limit: 3, ...(cursor !== null && { cursor }) }),
    );
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1]);
  const listed = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect(listed[0]).toBe(ids[0]);
  expect(listed.toSorted()).toEqual(ids.toSorted());
  const claimed = { limit: 100, state: "claimed", assignee: one.actor } as const;
  expect(value(await store.bff.listItems(caller, claimed)).items.map(({ id }) => id)).toEqual([
    ids[0],
  ]);
  expect(value(await store.bff.listItems(caller, { limit: 100, state: "shipped" })).items).toEqual(
    [],
  );
});

test.each(["", "x", "MTIz", "MSBh=", Buffer.from("1 a\n").toString("base64url")])(
  "takes no cursor that no answer gave, %j: request.invalid",
  async (cursor) => {
    expect(codeOf(await store.bff.listItems(agent, { limit: 3, cursor }))).toBe("request.invalid");
  },
);

test("shows the newest 100 notes, oldest first", async () => {
  const id = await store.item(TENANT, "queued");
  for (let count = 0; count < 102; count += 1)
    value(await store.bff.addNote(agent, id, `note ${count}`));
  const { notes, version } = value(await store.bff.getItem(agent, id));
  expect([notes.length, notes[0]?.text, notes[99]?.text]).toEqual([100, "note 2", "note 101"]);
  expect(version).toBe(1);
});

// A preloaded clock keeps PostgreSQL's own timers from ending anything.
const isClockFaked = process.env["LD_PRELOAD"]?.includes("faketime") === true;
const note = isClockFaked ? " (NOT RUN: PostgreSQL's timers do not work on a faked clock)" : "";

test.skipIf(isClockFaked)(
  `gives up on a lock in seconds, having done nothing: service.unavailable${note}`,
  async () => {
    const id = await store.item(TENANT, "queued");
    const holder = await open(store.database.ownerUrl);
    await holder.query("begin");
    await holder.query("select set_config('eve.tenant', $1, true)", [TENANT]);
    await holder.query("select from bff.items where id = $1 for update", [id]);
    expect(codeOf(await store.bff.claimItem(agent, id))).toBe("service.unavailable");
    await holder.query("rollback");
    await holder.end();
    expect(codeOf(await store.bff.claimItem(agent, id))).toBe("ok");
  },
);
