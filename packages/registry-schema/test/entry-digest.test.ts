import { canonicalJson, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { entryDigest, pinnedSurface, reviewSubject } from "@eve/registry-schema";
import {
  entryDigestOf,
  goodEntry,
  leavesOf,
  NOW,
  type Path,
  pathText,
  reviewSubjectOf,
  surfaceDigest,
  thirdPartyEntry,
  withChange,
  withValue,
  listIn,
  goodDocument,
} from "@eve/test-kit";
import { propertyRuns } from "@eve/config/property-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registryOf } from "./kit.ts";

const ENTRIES: readonly JsonObject[] = [
  goodEntry({ now: NOW }),
  goodEntry({ now: NOW, transport: "streamable-http" }),
  thirdPartyEntry({ now: NOW }),
  thirdPartyEntry({ now: NOW, transport: "streamable-http" }),
];
const leaf = fc.constantFrom(...ENTRIES).chain((entry) =>
  fc.record({
    entry: fc.constant(entry),
    path: fc.constantFrom(...leavesOf(entry).map(({ path }) => path)),
  }),
);
const another = (value: JsonValue | undefined): JsonValue =>
  typeof value === "boolean" ? !value : `${canonicalJson(value ?? null)}x`;

/** Whether a leaf belongs to what may change while a program runs. */
const isMutable = (path: Path): boolean =>
  ["health", "evaluation"].includes(String(path[0])) ||
  /^(lifecycle\.(state|since)|review\.(reviewedAt|expiresAt|evidence\.(path|sha256)))$/.test(
    pathText(path),
  );

const SUBJECT =
  /^(kind|origin|deployment|owner\.team|source\.path|riskClass|permissions|credentials|configuration|destinations|textExceptions|tools\[\d+\]\.(name|riskClass|permissions))/;

describe("the digests of an entry", () => {
  it("are those of the documented framing", () => {
    for (const entry of ENTRIES) {
      expect(entryDigest(entry)).toBe(entryDigestOf(entry));
      expect(reviewSubject(entry)).toBe(reviewSubjectOf(entry));
      expect(pinnedSurface(entry)).toBe(surfaceDigest(entry));
    }
  });

  it("differ from each other", () => {
    for (const entry of ENTRIES)
      expect(new Set([entryDigest(entry), reviewSubject(entry), pinnedSurface(entry)]).size).toBe(
        3,
      );
  });

  it("entryDigest changes with any leaf but lifecycle state, statuses, dates and evidence", () => {
    fc.assert(
      fc.property(leaf, ({ entry, path }) => {
        const changed = withChange(entry, path, another);
        expect(entryDigest(changed) === entryDigest(entry)).toBe(isMutable(path));
        expect(entryDigest(changed)).toBe(entryDigestOf(changed));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("reviewSubject changes with exactly what a review decides", () => {
    fc.assert(
      fc.property(leaf, ({ entry, path }) => {
        const changed = withChange(entry, path, another);
        expect(reviewSubject(changed) !== reviewSubject(entry)).toBe(SUBJECT.test(pathText(path)));
        expect(reviewSubject(changed)).toBe(reviewSubjectOf(changed));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("pinnedSurface changes with exactly the names, pins and surface", () => {
    fc.assert(
      fc.property(leaf, ({ entry, path }) => {
        const changed = withChange(entry, path, another);
        expect(pinnedSurface(changed) !== pinnedSurface(entry)).toBe(
          /^(surface\.|tools\[\d+\]\.(name|pins))/.test(pathText(path)),
        );
        expect(pinnedSurface(changed)).toBe(surfaceDigest(changed));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("do not depend on key order, nor pinnedSurface on the order of tools", () => {
    const [entry = {}] = ENTRIES;
    const reversed: JsonObject = Object.fromEntries(Object.entries(entry).toReversed());
    expect([entryDigest(reversed), reviewSubject(reversed), pinnedSurface(reversed)]).toEqual([
      entryDigest(entry),
      reviewSubject(entry),
      pinnedSurface(entry),
    ]);
    const turned = withChange(entry, ["tools"], (tools) => listIn(tools).toReversed());
    expect(pinnedSurface(turned)).toBe(pinnedSurface(entry));
    expect(entryDigest(turned)).not.toBe(entryDigest(entry));
  });

  it("tell absent, null and empty apart", () => {
    const [entry = {}] = ENTRIES;
    const three = [undefined, null, ""].map((value) =>
      entryDigest(withValue(entry, ["owner", "contact"], value)),
    );
    expect(new Set(three).size).toBe(3);
  });

  it("are those of the entry also where a parsed registry remembers them, and a copy has its own", () => {
    const [entry = {}] = ENTRIES;
    const record = registryOf(goodDocument({ entries: [entry] }).value).integrations.get("notes");
    const raw = record?.status === "complete" ? record.raw : {};
    expect([entryDigest(raw), reviewSubject(raw)]).toEqual([
      entryDigestOf(entry),
      reviewSubjectOf(entry),
    ]);
    const copy = withValue(raw, ["owner", "team"], "other-team");
    expect([entryDigest(copy), reviewSubject(copy)]).toEqual([
      entryDigestOf(copy),
      reviewSubjectOf(copy),
    ]);
  });
});
