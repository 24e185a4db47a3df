import type { JsonObject, JsonValue } from "@eve/canonical-json";
import {
  goodEntry,
  leavesOf,
  NOW,
  objectsOf,
  type Path,
  pathText,
  thirdPartyEntry,
  valueAt,
  withValue,
} from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { ENTRY, faultsOfEntry, faultsWith, firstOf } from "./kit.ts";

const ENTRIES: readonly (readonly [string, JsonObject])[] = [
  ["first-party stdio", ENTRY],
  ["first-party streamable-http", goodEntry({ now: NOW, transport: "streamable-http" })],
  ["third-party stdio", thirdPartyEntry({ now: NOW })],
  ["third-party streamable-http", thirdPartyEntry({ now: NOW, transport: "streamable-http" })],
];

it.each(ENTRIES)(
  "accepts the good %s entry, which says all that the decision asks (ADR-0092-202, ADR-0092-203, ADR-0092-204, ADR-0092-207, ADR-0092-211)",
  (_name, entry) => {
    expect(faultsOfEntry(entry)).toEqual([]);
  },
);

/** Texts that show nothing. */
const BLANKS: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a space", " "],
  ["a tab", "\t"],
  ["a no-break space", "\u00a0"],
  ["an ideographic space", "\u3000"],
  ["a zero-width space", "\u200b"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a Hangul filler", "\u3164"],
  ["an empty Braille pattern", "\u2800"],
  ["a combining grapheme joiner", "\u034f"],
  ["a tag character", "\u{e0041}"],
  ["U+0000", "\u0000"],
];

/** What may be absent or null in a good entry without a fault: free content, and items of lists that may be shorter. */
const FREE: readonly string[] = ["surface.observedWith.clientCapabilities"];

/** What an entry may do without. */
const OPTIONAL: readonly string[] = ["textExceptions"];

/** Every required member of every object of an entry, leaf or not, in document order. */
function membersOf(entry: JsonObject): readonly Path[] {
  return objectsOf(entry)
    .flatMap(({ path, value }) => Object.keys(value).map((key) => [...path, key]))
    .filter((path) => !FREE.some((free) => pathText(path).startsWith(`${free}.`)))
    .filter((path) => !OPTIONAL.includes(pathText(path)));
}

describe.each(ENTRIES)(
  "each required member of a %s entry, one by one (RS-08, ADR-0092-213)",
  (_name, entry) => {
    const members = membersOf(entry);

    it("counts the members it is about to remove", () => {
      expect(members.length).toBeGreaterThan(90);
    });

    it("refuses the entry without it, naming the path", () => {
      const seen = members.map(
        (path) => [pathText(path), faultsWith(path, undefined, entry)] as const,
      );
      const silent = seen.filter(
        ([text, faults]) =>
          !faults.some(({ subject }) => subject === text || subject === `integrations[0].${text}`),
      );
      expect(silent.map(([text]) => text)).toEqual([]);
      expect(new Set(seen.map(([text]) => text)).size).toBe(members.length);
    });

    it("answers registry.field_missing first for each", () => {
      const others = members
        .map((path) => [pathText(path), faultsWith(path, undefined, entry)[0]?.code])
        .filter(([, code]) => code !== "registry.field_missing");
      expect(others).toEqual([]);
    });

    it("refuses null in its place, naming the path", () => {
      const silent = members.filter((path) => {
        const text = pathText(path);
        return !faultsWith(path, null, entry).some(
          ({ subject }) => subject === text || subject === `integrations[0].${text}`,
        );
      });
      expect(silent.map(pathText)).toEqual([]);
    });

    it.each([
      ["removed", undefined],
      ["null", null],
    ])("tells each member that is %s from all others by its code and path", (_how, value) => {
      const answers = members.map((path) => {
        const text = pathText(path);
        return faultsWith(path, value, entry)
          .filter(({ subject }) => subject === text || subject === `integrations[0].${text}`)
          .map(({ code, subject }) => `${code} ${subject}`);
      });
      const first = answers.map(([answer]) => answer);
      expect(first.filter((answer) => answer === undefined)).toEqual([]);
      expect(new Set(first).size).toBe(members.length);
    });

    it.each(BLANKS)("refuses %s in the place of each text (RS-16)", (_title, blank) => {
      const texts = leavesOf(entry).filter(({ value }) => typeof value === "string");
      expect(texts.length).toBeGreaterThan(60);
      const accepted = texts.filter(({ path }) => faultsWith(path, blank, entry).length === 0);
      expect(accepted.map(({ path }) => pathText(path))).toEqual([]);
    });

    it("refuses a value of another type in each leaf's place", () => {
      const leaves = leavesOf(entry).filter(
        ({ path }) => !pathText(path).startsWith("surface.observedWith."),
      );
      const accepted = leaves.filter(({ path, value }) => {
        const others: readonly JsonValue[] = [
          typeof value === "string" ? 7 : "yes",
          [],
          {},
          [value],
          null,
        ];
        return others.some((other) => faultsWith(path, other, entry).length === 0);
      });
      expect(accepted.map(({ path }) => pathText(path))).toEqual([]);
    });

    it("refuses an unknown field in each object (RS-01, RS-02): registry.unknown_field", () => {
      const objects = objectsOf(entry).filter(
        ({ path }) => !pathText(path).startsWith("surface.observedWith.clientCapabilities"),
      );
      expect(objects.length).toBeGreaterThan(25);
      const answers = objects.map(({ path }) =>
        firstOf(faultsWith([...path, "trusted"], true, entry)),
      );
      expect(answers).toEqual(
        objects.map(({ path }) => `registry.unknown_field ${pathText([...path, "trusted"])}`),
      );
    });
  },
);

it("answers missing and invalid fields before causes with codes of their own", () => {
  const two = withValue(withValue(ENTRY, ["kind"], "plugin"), ["owner"], undefined);
  expect(faultsOfEntry(two).map(({ code }) => code)).toEqual([
    "registry.field_missing",
    "entry.kind_unknown",
  ]);
});

it("shows hidden characters of a wrong value as code points", () => {
  expect(faultsWith(["owner", "team"], "a\u202eb")[0]?.actual).toBe('"a⟨U+202E⟩b"');
  expect(faultsWith(["owner", "team"], "x".repeat(200))[0]?.actual.length).toBeLessThanOrEqual(120);
});

it("names no field by characters that a terminal might obey", () => {
  expect(firstOf(faultsWith(["owner", "\u001b[2K"], 1))).toBe(
    "registry.unknown_field owner.(unprintable)",
  );
});

it("reports every fault of an entry at once", () => {
  const three = [["owner", "contact"], ["version"], ["health", "status"]].reduce<JsonObject>(
    (entry, path) => withValue(entry, path, 3),
    ENTRY,
  );
  expect(
    faultsOfEntry(three)
      .map(({ code, subject }) => `${code} ${subject}`)
      .toSorted(),
  ).toEqual([
    "registry.field_invalid health.status",
    "registry.field_invalid owner.contact",
    "registry.unknown_field version",
  ]);
  expect(valueAt(three, ["version"])).toBe(3);
});
