import { type JsonObject, sha256, type Sha256 } from "@eve/canonical-json";
import {
  addCalendarMonths,
  formatInstant,
  HEALTH_WINDOW_MS,
  pinnedSurface,
  reviewedLaunch,
  REVIEW_WINDOW_MONTHS,
  reviewSubject,
} from "@eve/registry-schema";
import { objectOf } from "./json-values.ts";
import { type MeasuredSurface, rawLines } from "./observe-surfaces.ts";

/** A file of evidence: its path from the registry's folder, and its bytes. */
export interface EvidenceFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What all three reports of one run share. */
export interface Run {
  readonly integration: string;
  /** Epoch ms. */
  readonly now: number;
  readonly command: readonly string[];
  readonly tools: Readonly<Record<string, string>>;
  readonly reason: string;
}

/** A dated member of an entry and the files that support it. */
export interface Evidenced {
  readonly member: JsonObject;
  readonly files: readonly EvidenceFile[];
}

/** One thing a health probe looked at. */
export interface Check {
  readonly title: string;
  readonly passed: boolean;
}

/** The health of an entry from a probe's checks: healthy only if there are checks and all passed. */
export function healthOf(run: Run, entry: JsonObject, checks: readonly Check[]): Evidenced {
  const status =
    checks.length > 0 && checks.every(({ passed }) => passed) ? "healthy" : "unhealthy";
  const report = {
    ...head("health", run, entry),
    outcome: status,
    checks: checks.map((check) => ({ ...check })),
  };
  return evidenced("health", run, report, {
    status,
    ...dates("observedAt", run.now, run.now + HEALTH_WINDOW_MS),
  });
}

/** The evaluation of an entry from a suite's counts: passed only if some passed, none failed and none was skipped. */
export function evaluationOf(
  run: Run,
  entry: JsonObject,
  tests: { readonly passed: number; readonly failed: number; readonly skipped: number },
): Evidenced {
  const status =
    tests.passed > 0 && tests.failed === 0 && tests.skipped === 0 ? "passed" : "failed";
  const report = { ...head("evaluation", run, entry), outcome: status, tests: { ...tests } };
  return evidenced("evaluation", run, report, {
    status,
    ...dates("observedAt", run.now, addCalendarMonths(run.now, REVIEW_WINDOW_MONTHS)),
  });
}

/** An owner review of an entry as it now stands, with the raw surfaces that were read, kept for diffs. */
export function reviewOf(
  run: Run,
  entry: JsonObject,
  by: { readonly basis: "reviewed" | "generated"; readonly reviewer: string },
  surfaces: readonly MeasuredSurface[],
): Evidenced {
  const files = surfaces.map((measured) => ({
    protocolVersion: measured.surface.protocolVersion,
    path: `evidence/${run.integration}/review/surface-${measured.surface.protocolVersion}.jsonl`,
    bytes: rawLines(measured),
  }));
  const listed = files.map(({ protocolVersion, path, bytes }) => ({
    protocolVersion,
    path,
    sha256: sha256(bytes),
  }));
  const subject = reviewSubject(entry);
  const launch = reviewedLaunch(entry);
  const report = { ...head("review", run, entry), ...by, subject, launch, surfaces: listed };
  const { member, files: own } = evidenced("review", run, report, {
    ...by,
    ...dates("reviewedAt", run.now, addCalendarMonths(run.now, REVIEW_WINDOW_MONTHS)),
    subject,
  });
  return { member, files: [...own, ...files.map(({ path, bytes }) => ({ path, bytes }))] };
}

function head(
  kind: string,
  { integration, now, command, tools, reason }: Run,
  entry: JsonObject,
): JsonObject {
  const source = objectOf(entry["source"]);
  return {
    contract: "eve.evidence.v1",
    kind,
    integration,
    observedAt: formatInstant(now),
    command: [...command],
    tools: { ...tools },
    reason,
    digests: {
      source: source["sha256"] ?? "",
      artifacts: source["artifacts"] ?? [],
      surface: pinnedSurface(entry),
    },
  };
}

function dates(observed: string, from: number, to: number): JsonObject {
  return { [observed]: formatInstant(from), expiresAt: formatInstant(to) };
}

function evidenced(
  kind: string,
  { integration }: Run,
  report: JsonObject,
  member: JsonObject,
): Evidenced {
  const file = { path: `evidence/${integration}/${kind}/report.json`, bytes: formatJson(report) };
  return {
    member: {
      ...member,
      evidence: { path: file.path, sha256: sha256(file.bytes) satisfies Sha256 },
    },
    files: [file],
  };
}

/** JSON as the registry's files have it: two spaces, a last line end. */
export function formatJson(value: JsonObject): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
