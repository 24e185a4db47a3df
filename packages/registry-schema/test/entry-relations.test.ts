import { isJsonArray, isJsonObject, type JsonValue } from "@eve/canonical-json";
import { parseEntry } from "@eve/registry-schema";
import { objectIn } from "@eve/test-kit";
import { expect, it } from "vitest";
import { apply, BROKEN_RELATIONS, local, LOOPBACK } from "./broken-relations.ts";
import { ENTRY, faultsOfEntry, firstOf } from "./kit.ts";

it.each(BROKEN_RELATIONS.map(([title, entry, expected]) => ({ title, entry, expected })))(
  "refuses $title: $expected",
  ({ entry, expected }) => {
    expect(firstOf(faultsOfEntry(entry))).toBe(expected);
  },
);

it("refuses each the same way a hundred times, whatever the order of its members (O5)", () => {
  const random = seededRandom(1);
  for (const [title, entry, expected] of BROKEN_RELATIONS) {
    const answers = Array.from({ length: 100 }, () => {
      const result = parseEntry(objectIn(shuffled(entry, random)), "notes");
      return result.ok ? "complete" : firstOf(result.refusals);
    });
    expect([title, ...new Set(answers)]).toEqual([title, expected]);
  }
});

it.each([
  ["local-reference", LOOPBACK],
  ["local-reference", "http://[::1]:9"],
  ["local-development", "https://127.0.0.1"],
])("accepts %s with the only destination %s", (deployment, origin) => {
  expect(faultsOfEntry(local(origin, deployment))).toEqual([]);
});

it("accepts an expiry one millisecond after the observation", () => {
  expect(
    faultsOfEntry(apply(ENTRY, [["health", "expiresAt"], "2026-12-01T11:00:00.001Z"])),
  ).toEqual([]);
});

/** The same value with the members of each object in an order by chance. */
function shuffled(value: JsonValue, random: () => number): JsonValue {
  if (isJsonArray(value)) return value.map((item) => shuffled(item, random));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, item]) => ({
    place: random(),
    member: [name, shuffled(item, random)] as const,
  }));
  return Object.fromEntries(
    members.toSorted((a, b) => a.place - b.place).map(({ member }) => member),
  );
}

/** Numbers from 0 up to 1, the same ones for the same seed (a linear congruential generator). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
