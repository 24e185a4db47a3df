import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ATTACK_CASES } from "@eve/e2e/attack-cases";
import { describe, expect, test } from "vitest";
import { switchOff } from "../src/edit-source.ts";
import type { Guard } from "../src/guard.ts";
import { GUARDS } from "../src/guards.ts";
import { isSeen, judge, prove } from "../src/proof.ts";
import { ROOT } from "../src/run-without.ts";

describe.each(GUARDS)("the guard: $name", ({ edits, tests, inputs }) => {
  test("is where the list says", () => {
    expect(edits.length).toBeGreaterThan(0);
    for (const edit of edits)
      expect(() => switchOff(readFileSync(join(ROOT, edit.file), "utf8"), edit)).not.toThrow();
    expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test("stops inputs that are listed", () => {
    expect(inputs.length).toBeGreaterThan(0);
    expect(inputs.filter((id) => !(id in ATTACK_CASES))).toEqual([]);
  });
});

/** The classes every input of which has its guard listed, unless it is only to be accepted or is deferred. */
const WHOLE = ["RB", "RS", "RT", "RP", "RR", "ST", "SS", "SN", "SM", "CB", "CS", "CC"];

test(`every hostile input of ${WHOLE.join(", ")} has a guard`, () => {
  const guarded = new Set(GUARDS.flatMap(({ inputs }) => inputs));
  const bare = Object.entries(ATTACK_CASES).flatMap(([id, outcomes]) =>
    WHOLE.includes(id.slice(0, 2)) &&
    !guarded.has(id) &&
    !outcomes.every((outcome) => outcome === "accepted" || outcome === "deferred")
      ? [id]
      : [],
  );
  expect(bare).toEqual([]);
});

describe("switching a guard off", () => {
  const [first] = GUARDS.filter(({ inputs }) => inputs.includes("RB-17"));
  const guard: Guard | undefined = first;

  test("is seen by the tests of its inputs, and changes no file", async () => {
    if (!guard) throw new TypeError("a guard of RB-17");
    const files = guard.edits.map(({ file }) => join(ROOT, file));
    const before = files.map((file) => readFileSync(file, "utf8"));
    expect(isSeen(await prove(guard))).toBe(true);
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
  });

  test("is not seen where the edit leaves the guard on", async () => {
    if (!guard) throw new TypeError("a guard of RB-17");
    const [edit] = guard.edits;
    if (!edit) throw new TypeError("an edit");
    const idle = { ...guard, edits: [{ ...edit, off: `${edit.is} // still on` }] };
    const proof = await prove(idle);
    expect(proof).toMatchObject({ unseen: guard.inputs, faults: [], run: { failed: [] } });
    expect(isSeen(proof)).toBe(false);
  });

  const run = { passed: ["good"], failed: ["refuses RB-17"], reasons: [], broken: [] };
  const judged: Guard = { name: "one", edits: [], tests: [], inputs: ["RB-17"] };

  test.each([
    ["a file did not load", { ...run, broken: ["no test loads it"] }],
    ["nothing passed", { ...run, passed: [] }],
    ["another input's test failed", { ...run, failed: ["refuses RB-16"] }],
    ["a longer id's test failed", { ...run, failed: ["refuses RB-170"] }],
  ])("shows nothing where %s", (_, other) => {
    expect(isSeen(judge(judged, run))).toBe(true);
    expect(isSeen(judge(judged, other))).toBe(false);
  });
});

test("a guard that moved is told with its file", () => {
  const edit = { file: "a.ts", is: "if (x)", off: "if (false)" };
  expect(switchOff("if (x) y", edit)).toBe("if (false) y");
  expect(() => switchOff("if (z) y", edit)).toThrow(/^a\.ts: 0 times/);
  expect(() => switchOff("if (x) if (x) y", edit)).toThrow(/^a\.ts: 2 times/);
});
