import { type JsonObject, sha256 } from "@eve/canonical-json";
import {
  type Entry,
  type EvidenceReport,
  parseEvidenceReport,
  pinnedSurface,
  reviewedLaunch,
  refusal,
  type Refusal,
  type RefusalCode,
} from "@eve/registry-schema";

type Part = "health" | "evaluation" | "review";

/**
 * Judges whether an entry's evidence supports it: each file is there with its digest, is a report of that kind, and
 * contradicts the entry in nothing: id, time, outcome, reviewer, subject, source, artifacts, pinned surface.
 * `read` answers a file's bytes by its path from the registry's folder. Answers `health.evidence_mismatch` and the like.
 */
export function judgeEvidence(
  entry: Entry,
  raw: JsonObject,
  read: (path: string) => Uint8Array | undefined,
): readonly Refusal[] {
  return (["health", "evaluation", "review"] as const).flatMap((part) =>
    judgePart(part, entry, raw, read),
  );
}

function judgePart(
  part: Part,
  entry: Entry,
  raw: JsonObject,
  read: (path: string) => Uint8Array | undefined,
): readonly Refusal[] {
  const { path, sha256: expected } = entry[part].evidence;
  const mismatch = (subject: string, wanted: string, found: string): Refusal =>
    refusal(`${part}.evidence_mismatch` satisfies RefusalCode, {
      integration: entry.id,
      subject: `${path}: ${subject}`,
      expected: wanted,
      actual: found,
    });
  const bytes = read(path);
  if (!bytes) return [mismatch("file", "a readable file", "none")];
  const actual = sha256(bytes);
  if (actual !== expected) return [mismatch("sha256", expected, actual)];
  const parsed = parseEvidenceReport(bytes);
  if (!parsed.ok)
    return [mismatch("report", "a report of contract eve.evidence.v1", parsed.reason)];
  if (parsed.report.kind !== part) return [mismatch("kind", part, parsed.report.kind)];
  return [...contradictions(entry, raw, parsed.report), ...surfaceFiles(parsed.report, read)].map(
    ([subject, wanted, found]) => mismatch(subject, wanted, found),
  );
}

type Contradiction = readonly [subject: string, expected: string, actual: string];

function contradictions(
  entry: Entry,
  raw: JsonObject,
  report: EvidenceReport,
): readonly Contradiction[] {
  const claims: readonly Contradiction[] = [
    ["integration", entry.id, report.integration],
    ["digests.surface", pinnedSurface(raw), report.digests.surface],
    ...(report.kind === "review" ? reviewClaims(entry, raw, report) : runClaims(entry, report)),
  ];
  return claims.filter(([, expected, actual]) => expected !== actual);
}

/** A probe and an evaluation speak of the source and artifact that run; a review of source alone does not go stale with them. */
function runClaims(
  entry: Entry,
  report: Exclude<EvidenceReport, { kind: "review" }>,
): readonly Contradiction[] {
  const { status, observedAt } = entry[report.kind];
  const artifacts = entry.origin === "first-party" ? entry.source.artifacts : [];
  const observed =
    report.kind === "evaluation" && (report.tests.failed > 0 || report.tests.passed === 0)
      ? "failed"
      : report.outcome;
  return [
    ["observedAt", observedAt, report.observedAt],
    [
      "outcome",
      status,
      report.kind === "health" && report.checks.some(({ passed }) => !passed)
        ? "unhealthy"
        : observed,
    ],
    ["digests.source", entry.source.sha256, report.digests.source],
    [
      "digests.artifacts",
      JSON.stringify(artifacts.map(({ path, sha256: digest }) => [path, digest])),
      JSON.stringify(report.digests.artifacts.map(({ path, sha256: digest }) => [path, digest])),
    ],
  ];
}

function reviewClaims(
  { review, protocol }: Entry,
  raw: JsonObject,
  report: Extract<EvidenceReport, { kind: "review" }>,
): readonly Contradiction[] {
  return [
    ["observedAt", review.reviewedAt, report.observedAt],
    ["reviewer", review.reviewer, report.reviewer],
    ["basis", review.basis, report.basis],
    ["subject", review.subject, report.subject],
    ["launch", reviewedLaunch(raw), report.launch],
    [
      "surfaces",
      [...protocol.versions].toSorted().join(", "),
      report.surfaces
        .map(({ protocolVersion }) => protocolVersion)
        .toSorted()
        .join(", "),
    ],
  ];
}

function surfaceFiles(
  report: EvidenceReport,
  read: (path: string) => Uint8Array | undefined,
): readonly Contradiction[] {
  if (report.kind !== "review") return [];
  return report.surfaces.flatMap(({ path, sha256: expected }) => {
    const bytes = read(path);
    const actual = bytes ? sha256(bytes) : "no file";
    return actual === expected ? [] : [[path, expected, actual] as const];
  });
}
