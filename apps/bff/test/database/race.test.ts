import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approved, type Requested, requested } from "./call.ts";
import { codeOf } from "./codes.ts";
import type { Race } from "./programs/execute-many.ts";
import { createStore, type Store, TENANT, value } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const PROGRAM = fileURLToPath(new URL("./programs/execute-many.ts", import.meta.url));

function racer({ agent: caller, view, call }: Requested, times: number): ChildProcess {
  const { url } = store.database;
  const approvals = Buffer.from(store.keys.approvals).toString("hex");
  const race: Race = { url, approvals, caller, consentId: view.id, call, times };
  return spawn(process.execPath, ["--conditions=@eve/source", PROGRAM, JSON.stringify(race)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

async function line(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.endsWith("\n")) return text;
  }
  return text;
}

test("50 executions at once from two processes have exactly one effect, and 49 learn its outcome: consent.consumed (ADR-0092-408, CC-01)", async () => {
  const asked = await approved(store);
  const children = [racer(asked, 25), racer(asked, 25)];
  for (const child of children) child.stdout?.setEncoding("utf8");
  const ready = await Promise.all(children.map((child) => once(child.stdout ?? child, "data")));
  expect(ready.flat()).toEqual(["ready\n", "ready\n"]);
  const answers = children.map(line);
  const ends = children.map((child) => once(child, "exit"));
  for (const child of children) child.stdin?.write("go\n");
  const lines = (await Promise.all(answers)).map((text): unknown => JSON.parse(text));
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
  const all = lines.flat();
  const outcome = value(await store.bff.findConsent(asked.agent, asked.view.id)).outcome;
  expect(all).toHaveLength(50);
  expect(all.filter((one) => JSON.stringify(one) === JSON.stringify(["ok", outcome]))).toHaveLength(
    1,
  );
  expect(
    all.filter((one) => JSON.stringify(one) === JSON.stringify(["consent.consumed", outcome])),
  ).toHaveLength(49);
  const { history } = value(await store.bff.getItem(asked.agent, asked.itemId));
  expect(history.filter(({ to }) => to === "shipped")).toHaveLength(1);
}, 120_000);

test("an execution that races its approval has one effect or waits, and none without the approval (CC-02)", async () => {
  for (let round = 0; round < 5; round += 1) {
    const asked = await requested(store);
    const { id, digest } = asked.view;
    const approval = { decision: "approve", digest, reason: "reviewed" } as const;
    const [executed, decided] = await Promise.all([
      store.bff.executeConsent(asked.agent, id, asked.call),
      store.bff.decideConsent(asked.operator, id, approval),
    ]);
    expect(codeOf(decided)).toBe("ok");
    expect(["ok", "consent.pending"]).toContain(codeOf(executed));
    const { state } = await store.itemOf(TENANT, asked.itemId);
    expect(state).toBe(executed.ok ? "shipped" : "submitted");
  }
});
