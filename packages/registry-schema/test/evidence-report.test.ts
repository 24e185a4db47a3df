import type { JsonObject } from "@eve/canonical-json";
import { parseEvidenceReport } from "@eve/registry-schema";
import { bytesOf, evidenceFiles, leavesOf, objectsOf, pathText, withValue } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { ENTRY } from "./kit.ts";

const REPORTS = Object.entries(evidenceFiles(ENTRY).reports) as readonly (readonly [
  string,
  JsonObject,
])[];

describe.each(REPORTS)("a %s report", (kind, report) => {
  it("parses, and keeps its raw value", () => {
    expect(parseEvidenceReport(bytesOf(report))).toMatchObject({
      ok: true,
      report: { kind },
      raw: report,
    });
  });

  it("needs each of its members", () => {
    const members = objectsOf(report)
      .flatMap(({ path, value }) => Object.keys(value).map((key) => [...path, key]))
      .filter((path) => !pathText(path).startsWith("tools."));
    expect(members.length).toBeGreaterThan(12);
    expect(
      members.filter((path) => parseEvidenceReport(bytesOf(withValue(report, path, undefined))).ok),
    ).toEqual([]);
  });

  it("takes no value of another type", () => {
    expect(
      leavesOf(report).filter(
        ({ path }) => parseEvidenceReport(bytesOf(withValue(report, path, { a: 1 }))).ok,
      ),
    ).toEqual([]);
  });

  it("takes no unknown field, and no tool without a version", () => {
    const objects = objectsOf(report);
    expect(
      objects.map(
        ({ path }) => parseEvidenceReport(bytesOf(withValue(report, [...path, "waived"], true))).ok,
      ),
    ).not.toContain(true);
  });
});

it("refuses bytes that are not strict JSON, and says where", () => {
  expect(parseEvidenceReport(new TextEncoder().encode('{"a":1,"a":2}'))).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^line 1, column \d+: /),
  });
  expect(parseEvidenceReport(new TextEncoder().encode("[]")).ok).toBe(false);
});
