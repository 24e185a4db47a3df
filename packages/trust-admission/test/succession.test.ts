import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { goodEntry, NOW, type Path, withValue } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { judgeSuccession } from "../src/index.ts";

const DAY_MS = 86_400_000;
const instant = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

const ENTRY = goodEntry({ now: NOW });
const document = (sequence: number, ...entries: readonly JsonObject[]): JsonObject => ({
  contract: "eve.external-integration-registry.v1",
  sequence,
  dependencyGates: [],
  integrations: entries,
});
const BEFORE = document(7, ENTRY);

/** The entry with some leaves changed. */
const changed = (...leaves: readonly (readonly [Path, JsonValue])[]): JsonObject =>
  leaves.reduce((entry, [path, value]) => withValue(entry, path, value), ENTRY);
const answers = (after: JsonObject, before = BEFORE): readonly string[] =>
  judgeSuccession(before, after).map(({ code, subject }) => `${code} ${subject}`);

describe("the sequence of a registry that follows another", () => {
  it.each([
    ["unchanged, with the same sequence", document(7, ENTRY), []],
    ["unchanged, with a higher sequence", document(8, ENTRY), []],
    ["unchanged, with a lower sequence: registry.rollback", document(6, ENTRY), ["sequence"]],
    ["changed, with a higher sequence", document(8, changed([["owner", "contact"], "else"])), []],
    [
      "changed, with the same sequence: registry.rollback",
      document(7, changed([["owner", "contact"], "else"])),
      ["sequence"],
    ],
    ["with an entry less and the same sequence: registry.rollback", document(7), ["sequence"]],
    [
      "with a sequence that is none: registry.rollback",
      { ...document(8, ENTRY), sequence: "8" },
      ["sequence"],
    ],
  ])("%s", (_, after, subjects) => {
    expect(answers(after)).toEqual(subjects.map((subject) => `registry.rollback ${subject}`));
  });

  it("does not take the order of members for a change", () => {
    const turned = Object.fromEntries(Object.entries(ENTRY).toReversed());
    expect(answers(document(7, turned))).toEqual([]);
  });
});

describe.each([
  ["health", "observedAt"],
  ["evaluation", "observedAt"],
  ["review", "reviewedAt"],
])("an expiry of the %s that moved", (part, made) => {
  const expires: readonly [Path, JsonValue] = [[part, "expiresAt"], instant(NOW + 3 * DAY_MS)];
  const observed: readonly [Path, JsonValue] = [[part, made], instant(NOW - 1_000)];
  const evidence: readonly [Path, JsonValue] = [[part, "evidence", "sha256"], "f".repeat(64)];

  it.each([
    [
      `alone: ${part}.not_renewed`,
      [expires],
      [`${part}.not_renewed ${part}.${made}`, `${part}.not_renewed ${part}.evidence.sha256`],
    ],
    [
      `with a new time, on old evidence: ${part}.not_renewed`,
      [expires, observed],
      [`${part}.not_renewed ${part}.evidence.sha256`],
    ],
    [
      `with new evidence of the old time: ${part}.not_renewed`,
      [expires, evidence],
      [`${part}.not_renewed ${part}.${made}`],
    ],
    ["with a new time and new evidence is a renewal", [expires, observed, evidence], []],
  ] as const)("%s", (_, leaves, expected) => {
    expect(answers(document(8, changed(...leaves)))).toEqual(expected);
  });

  it(`that was shortened is no renewal either: ${part}.not_renewed`, () => {
    const shorter = changed([[part, "expiresAt"], instant(NOW + 1)]);
    expect(answers(document(8, shorter))[0]).toBe(`${part}.not_renewed ${part}.${made}`);
  });

  it("is not asked of an entry that was not there before", () => {
    expect(answers(document(8, ENTRY), document(7))).toEqual([]);
  });
});
