import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import type { FileFault } from "@eve/mcp-guard/regular-file";
import { followRegistry } from "../src/registry-file.ts";
import { goodEntry, memberOf, registryBytes } from "./good-registry.ts";

let entry: JsonObject;
beforeAll(async () => {
  entry = await goodEntry();
});

/** What each state of the file answers, in order: a sequence or a code. */
function answers(...states: readonly (Uint8Array | FileFault)[]): readonly (number | string)[] {
  const queue = [...states];
  const file = followRegistry(() => {
    const state = queue.shift();
    if (state === undefined) throw new Error("no state");
    return typeof state === "string" ? { fault: state } : { bytes: state };
  });
  return states.map(() => {
    const result = file.current();
    return result.ok ? result.registry.sequence : result.refusals[0].code;
  });
}

const at = (sequence: number, reason = "In use"): Uint8Array =>
  registryBytes([{ ...entry, lifecycle: { ...memberOf(entry, "lifecycle"), reason } }], sequence);
const JUNK = Buffer.from("{");

describe("followRegistry", () => {
  test("follows a higher sequence at once", () =>
    expect(answers(at(1), at(2), at(9))).toEqual([1, 2, 9]));
  test("takes the same bytes again and again", () =>
    expect(answers(at(3), at(3), at(3))).toEqual([3, 3, 3]));
  test("refuses a lower sequence: registry.rollback", () =>
    expect(answers(at(3), at(2))).toEqual([3, "registry.rollback"]));
  test("refuses one sequence with other content: registry.rollback", () =>
    expect(answers(at(3), at(3, "Other"))).toEqual([3, "registry.rollback"]));
  test("keeps the highest across a rollback and follows what is put right", () => {
    expect(answers(at(5), at(4), at(4), at(5), at(6))).toEqual([
      5,
      "registry.rollback",
      "registry.rollback",
      5,
      6,
    ]);
  });
  test("refuses a file that is gone: registry.missing", () =>
    expect(answers(at(1), "missing", at(1))).toEqual([1, "registry.missing", 1]));
  test.each([
    ["unreadable", "registry.unreadable"],
    ["not_regular", "registry.unreadable"],
    ["too_large", "registry.too_large"],
  ] as const)("refuses a file that is %s: %s", (fault, code) =>
    expect(answers(fault)).toEqual([code]),
  );
  test("refuses a file that is not a registry, and keeps the highest: registry.unparseable", () => {
    expect(answers(at(2), JUNK, at(1), at(2))).toEqual([
      2,
      "registry.unparseable",
      "registry.rollback",
      2,
    ]);
  });
  test("parses equal bytes once", () => {
    const file = followRegistry(() => ({ bytes: at(1) }));
    expect(file.current()).toBe(file.current());
  });
});
