import { canonicalJson, type JsonValue, parseJson } from "@eve/canonical-json";
import { propertyRuns } from "@eve/config/property-runs";
import { parseRegistry } from "@eve/registry-schema";
import {
  bytesOf,
  goodDocument,
  goodEntry,
  leavesOf,
  listIn,
  NOW,
  objectsOf,
  type Path,
  pathText,
  thirdPartyEntry,
  valueAt,
  withChange,
  withValue,
} from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Two entries whose lifetime no date limits here: parsing knows no clock. */
const DOCUMENT = goodDocument({
  entries: [goodEntry({ now: NOW }), thirdPartyEntry({ now: NOW, transport: "streamable-http" })],
});
const ORIGINAL = canonicalJson(DOCUMENT.value);

type Fate = "refused" | "same" | "shown";

/**
 * What became of a document's bytes. A parsed registry holds what its bytes say: a mutation is either refused (the
 * document, or the entry it is in), or has the canonical form of the original, or is another value that the records
 * carry whole; anything else fails here.
 */
function fateOf(bytes: Uint8Array): Fate {
  const result = parseRegistry(bytes);
  if (!result.ok) return "refused";
  const { contract, sequence, dependencyGates, integrations } = result.registry;
  const records = [...integrations.values()];
  const raw = records.flatMap((record) => (record.status === "complete" ? [record.raw] : []));
  if (raw.length < records.length) return "refused";
  const parsed = parseJson(bytes, { profile: "registry" });
  if (!parsed.ok) throw new TypeError("a registry of bytes that are no JSON");
  const canonical = canonicalJson(parsed.value);
  if (canonical === ORIGINAL) return "same";
  const gates: JsonValue = JSON.parse(JSON.stringify(dependencyGates));
  expect(canonicalJson({ contract, sequence, dependencyGates: gates, integrations: raw })).toBe(
    canonical,
  );
  return "shown";
}

/** The fates of many mutations, by how often each came. */
function fates<T>(mutation: fc.Arbitrary<T>, bytesAfter: (mutation: T) => Uint8Array) {
  const seen: Record<Fate, number> = { refused: 0, same: 0, shown: 0 };
  fc.assert(
    fc.property(mutation, (change) => {
      seen[fateOf(bytesAfter(change))]++;
    }),
    { numRuns: propertyRuns(1000) },
  );
  return seen;
}

const { bytes: BYTES, value: VALUE } = DOCUMENT;
const LEAVES = leavesOf(VALUE).map(({ path }) => path);
const OBJECTS = objectsOf(VALUE);
const MEMBERS = OBJECTS.flatMap(({ path, value }) =>
  Object.keys(value).map((name) => ({ object: path, name })),
);
const at = fc.nat({ max: BYTES.length - 1 });
const leaf = fc.constantFrom(...LEAVES);
const FREE = "clientCapabilities";

describe("any single mutation of a valid document is refused, or has its canonical form, or is shown whole:", () => {
  it("one byte set, flipped, taken out or put in", () => {
    const byte = fc.oneof(
      fc.nat({ max: 255 }),
      fc.constantFrom(...new TextEncoder().encode(' \n\t"{}[],:0aA\\')),
    );
    const kind = fc.constantFrom("set", "flip", "delete", "insert");
    const seen = fates(fc.record({ at, kind, byte }), (change) => {
      const old = BYTES[change.at] ?? 0;
      const put = change.kind === "flip" ? old ^ (1 << (change.byte & 7)) : change.byte;
      return Uint8Array.from([
        ...BYTES.subarray(0, change.at),
        ...(change.kind === "delete" ? [] : [put]),
        ...BYTES.subarray(change.kind === "insert" ? change.at : change.at + 1),
      ]);
    });
    expect(seen.refused).toBeGreaterThan(100);
    expect(seen.same).toBeGreaterThan(0);
  });

  it("the values of two leaves swapped", () => {
    const seen = fates(fc.tuple(leaf, leaf), ([one, other]) =>
      bytesOf(withValue(withValue(VALUE, one, valueAt(VALUE, other)), other, valueAt(VALUE, one))),
    );
    expect(seen.refused).toBeGreaterThan(100);
    expect(seen.same).toBeGreaterThan(0);
  });

  it("one member or item taken out", () => {
    const seen = fates(leaf, (path) => bytesOf(withValue(VALUE, path, undefined)));
    expect(seen.refused).toBeGreaterThan(100);
    expect(seen.same).toBe(0);
  });

  it("one unknown member put in, refused everywhere but in free content", () => {
    const name = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("trusted", "toString", "ID"),
    );
    const fresh = fc.record({ object: fc.constantFrom(...OBJECTS), name, value: fc.jsonValue() });
    const seen = fates(
      fresh.filter(
        ({ object, name: text }) =>
          !Object.hasOwn(object.value, text) && !pathText(object.path).includes(FREE),
      ),
      ({ object, name: text, value }) =>
        withText([...object.path, MARK], `${JSON.stringify(text)}:${JSON.stringify(value)}`),
    );
    expect(seen.refused).toBe(propertyRuns(1000));
  });

  it("one item of a list put in again", () => {
    const lists = [...new Set(LEAVES.flatMap((path) => listsAbove(path)))];
    const seen = fates(fc.constantFrom(...lists), (path) => {
      return bytesOf(withChange(VALUE, path, withFirstAgain));
    });
    expect(seen.refused).toBeGreaterThan(100);
    expect(seen.same).toBe(0);
  });

  it("one member twice, with any value and however its name is spelled, refused everywhere: registry.duplicate_key", () => {
    const twice = fc.record({
      member: fc.constantFrom(...MEMBERS),
      value: fc.oneof(fc.constant(undefined), fc.jsonValue()),
      isEscaped: fc.boolean(),
    });
    fc.assert(
      fc.property(twice, ({ member: { object, name }, value, isEscaped }) => {
        const again = value === undefined ? valueAt(VALUE, [...object, name]) : value;
        const spelled = isEscaped ? escaped(name) : JSON.stringify(name);
        const result = parseRegistry(
          withText([...object, MARK], `${spelled}:${JSON.stringify(again)}`),
        );
        expect(result.ok ? "a registry" : result.refusals.map(({ code }) => code)).toEqual([
          "registry.duplicate_key",
        ]);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

const MARK = "put-in-here";

/** The document's bytes with one more member at the path, spelled as the text says. */
function withText(path: Path, member: string): Uint8Array {
  const marked = JSON.stringify(withValue(VALUE, path, 0));
  return new TextEncoder().encode(marked.replace(`"${MARK}":0`, () => member));
}

/** A name with its first character as an escape. */
function escaped(name: string): string {
  return `"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}"`;
}

/** The paths of the lists that a path leads through. */
function listsAbove(path: Path): readonly Path[] {
  return path.flatMap((key, i) => (typeof key === "number" ? [path.slice(0, i)] : []));
}

function withFirstAgain(list: JsonValue | undefined): readonly JsonValue[] {
  return [...listIn(list), ...listIn(list).slice(0, 1)];
}
