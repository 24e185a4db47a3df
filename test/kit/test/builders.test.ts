import { type JsonObject, parseJson, sha256 } from "@eve/canonical-json";
import {
  at,
  evidencePath,
  goodDocument,
  goodEntry,
  goodEvidence,
  goodObservation,
  goodSurface,
  NOW,
  renewed,
  reviewSubjectOf,
  sixMonthsAfter,
  surfaceDigest,
  thirdPartyEntry,
  valueAt,
  VERSIONS,
  withValue,
} from "@eve/test-kit";
import { describe, expect, it } from "vitest";

describe("a good entry", () => {
  it.each([goodEntry({ now: NOW }), thirdPartyEntry({ now: NOW, transport: "streamable-http" })])(
    "states the digests of its evidence and its review's subject",
    (entry) => {
      const files = goodEvidence(entry);
      expect(files.size).toBe(5);
      for (const part of ["health", "evaluation", "review"] as const) {
        const bytes = files.get(evidencePath(entry, part));
        expect(bytes && sha256(bytes)).toBe(valueAt(entry, [part, "evidence", "sha256"]));
      }
      expect(valueAt(entry, ["review", "subject"])).toBe(reviewSubjectOf(entry));
    },
  );

  it("is the same for the same clock, and moves with it", () => {
    expect(goodEntry({ now: NOW })).toEqual(goodEntry({ now: NOW }));
    expect(valueAt(goodEntry({ now: NOW + 1 }), ["health", "observedAt"])).toBe(
      "2026-12-01T11:00:00.001Z",
    );
  });

  it("renewed after a change states other digests", () => {
    const entry = goodEntry({ now: NOW });
    const moved = renewed(withValue(entry, ["owner", "team"], "other-team"));
    expect(valueAt(moved, ["review", "subject"])).not.toBe(valueAt(entry, ["review", "subject"]));
    expect(surfaceDigest(moved)).toBe(surfaceDigest(entry));
  });
});

it("a good document is its bytes", () => {
  const { value, bytes } = goodDocument({
    entries: [goodEntry({ now: NOW })],
    sequence: 3,
    gates: "met",
  });
  expect(parseJson(bytes, { profile: "registry" })).toEqual({ ok: true, value });
  expect(value["sequence"]).toBe(3);
});

it("a good observation shows the surface of one version", () => {
  for (const version of VERSIONS)
    expect(goodObservation(version).surface.value).toEqual(goodSurface(version));
  expect(goodSurface("2025-11-25").tools).not.toEqual(goodSurface("2026-07-28").tools);
  expect(goodObservation("2025-11-25", { origin: "third-party" }).source.value.origin).toBe(
    "third-party",
  );
});

it("six months after a day that the sixth month lacks is that month's last", () => {
  expect(sixMonthsAfter(Date.UTC(2026, 7, 31, 10))).toBe("2027-02-28T10:00:00Z");
  expect(sixMonthsAfter(Date.UTC(2027, 7, 31))).toBe("2028-02-29T00:00:00Z");
  expect(sixMonthsAfter(NOW)).toBe("2027-06-01T12:00:00Z");
  expect(at(NOW)).toBe("2026-12-01T12:00:00Z");
});

it("nothing of the kit reads the real clock", () => {
  const before: JsonObject = goodEntry({ now: 0 });
  expect(valueAt(before, ["health", "expiresAt"])).toBe("1970-01-30T23:00:00Z");
});
