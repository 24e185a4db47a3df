import { describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { parseEvidenceReport } from "@eve/registry-schema";
import {
  at,
  DAY_MS,
  goodEntry,
  goodSurface,
  NOW,
  reviewSubjectOf,
  sixMonthsAfter,
  surfaceDigest,
  VERSIONS,
} from "@eve/test-kit";
import { evaluationOf, formatJson, healthOf, reviewOf } from "../src/evidence-files.ts";

const entry = goodEntry({ now: NOW });
const run = {
  integration: "notes",
  now: NOW,
  command: ["eve-registry", "renew", "notes"],
  tools: { node: "26.10.0" },
  reason: "A reason",
};
const passing = { title: "it answers", passed: true };
const surfaces = VERSIONS.map((version) => ({
  surface: goodSurface(version),
  raw: [{ method: "tools/list", bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}') }],
}));

describe("health", () => {
  test.each([
    ["healthy where every check passed", [passing, passing], "healthy"],
    ["unhealthy where one failed", [passing, { title: "it lists", passed: false }], "unhealthy"],
    ["unhealthy where there was no check", [], "unhealthy"],
  ])("is %s", (_title, checks, status) => {
    expect(healthOf(run, entry, checks).member).toMatchObject({
      status,
      observedAt: at(NOW),
      expiresAt: at(NOW + 30 * DAY_MS),
    });
  });
});

describe("evaluation", () => {
  test.each([
    ["passed where some passed and none else", { passed: 1, failed: 0, skipped: 0 }, "passed"],
    ["failed where one failed", { passed: 9, failed: 1, skipped: 0 }, "failed"],
    ["failed where one was skipped", { passed: 9, failed: 0, skipped: 1 }, "failed"],
    ["failed where none ran", { passed: 0, failed: 0, skipped: 0 }, "failed"],
  ])("is %s", (_title, tests, status) => {
    expect(evaluationOf(run, entry, tests).member).toMatchObject({
      status,
      observedAt: at(NOW),
      expiresAt: sixMonthsAfter(NOW),
    });
  });

  test.each([
    ["31 August", Date.UTC(2026, 7, 31, 12), "2027-02-28T12:00:00Z"],
    ["29 August before a leap year", Date.UTC(2027, 7, 29), "2028-02-29T00:00:00Z"],
    ["31 May", Date.UTC(2026, 4, 31, 23, 59, 59), "2026-11-30T23:59:59Z"],
  ])("of %s expires on the last day that month has", (_title, now, expiresAt) => {
    const { member } = evaluationOf({ ...run, now }, entry, { passed: 1, failed: 0, skipped: 0 });
    expect(member["expiresAt"]).toBe(expiresAt);
  });
});

describe("review", () => {
  const by = { basis: "reviewed", reviewer: "eve-security" } as const;
  test("states what was decided, and keeps the raw lines that were read", () => {
    const { member, files } = reviewOf(run, entry, by, surfaces);
    expect(member).toMatchObject({
      ...by,
      reviewedAt: at(NOW),
      expiresAt: sixMonthsAfter(NOW),
      subject: reviewSubjectOf(entry),
    });
    expect(files.map(({ path }) => path)).toEqual([
      "evidence/notes/review/report.json",
      "evidence/notes/review/surface-2025-11-25.jsonl",
      "evidence/notes/review/surface-2026-07-28.jsonl",
    ]);
    expect(Buffer.from(files[1]?.bytes ?? []).toString()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    );
  });
});

describe("every report", () => {
  test.each([
    ["health", healthOf(run, entry, [passing])],
    ["evaluation", evaluationOf(run, entry, { passed: 1, failed: 0, skipped: 0 })],
    ["review", reviewOf(run, entry, { basis: "generated", reviewer: "local-generator" }, surfaces)],
  ])(
    "of %s parses, names the digests it rests on, and is pinned by its member",
    (kind, { member, files }) => {
      const [report] = files;
      expect(member["evidence"]).toEqual({
        path: `evidence/notes/${kind}/report.json`,
        sha256: sha256(report?.bytes ?? ""),
      });
      const parsed = parseEvidenceReport(report?.bytes ?? new Uint8Array());
      expect(parsed).toMatchObject({
        ok: true,
        report: { kind, reason: "A reason", digests: { surface: surfaceDigest(entry) } },
      });
    },
  );
});

test("JSON of a file has two spaces and one last line end", () => {
  expect(Buffer.from(formatJson({ a: [1] })).toString()).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});
