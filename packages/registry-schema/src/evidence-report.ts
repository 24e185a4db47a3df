import { type JsonValue, parseJson } from "@eve/canonical-json";
import { z } from "zod";
import {
  containedPath,
  distinct,
  id,
  instant,
  protocolVersion,
  sha256,
  text,
  version,
  word,
} from "./entry-fields.ts";

const report = {
  contract: z.literal("eve.evidence.v1"),
  integration: id,
  observedAt: instant,
  /** The command that produced the report, as a person would repeat it. */
  command: z.array(word).min(1).max(64),
  tools: z.record(z.string(), version),
  reason: text,
  /** What was observed: the source and artifact digests of the entry, and the digest of all its pins. */
  digests: z.strictObject({
    source: sha256,
    artifacts: z.array(z.strictObject({ path: containedPath, sha256 })),
    surface: sha256,
  }),
};

const checks = z.array(z.strictObject({ title: text, passed: z.boolean() })).min(1);

const health = z.strictObject({
  ...report,
  kind: z.literal("health"),
  outcome: z.enum(["healthy", "unhealthy"]),
  checks,
});
const evaluation = z.strictObject({
  ...report,
  kind: z.literal("evaluation"),
  outcome: z.enum(["passed", "failed"]),
  tests: z.strictObject({
    passed: z.int().min(0),
    failed: z.int().min(0),
    skipped: z.int().min(0),
  }),
});
const review = z.strictObject({
  ...report,
  kind: z.literal("review"),
  basis: z.enum(["reviewed", "generated"]),
  reviewer: id,
  subject: sha256,
  /** How it is launched or reached, and a third party's source: reviewedLaunch. */
  launch: sha256,
  /** The surface that was reviewed, raw, one file a protocol version: for diffs. */
  surfaces: distinct(z.strictObject({ protocolVersion, path: containedPath, sha256 })),
});

const anyReport = z.discriminatedUnion("kind", [health, evaluation, review]);

export type HealthReport = z.output<typeof health>;
export type EvaluationReport = z.output<typeof evaluation>;
export type ReviewReport = z.output<typeof review>;
/** A file under registry/evidence/: what was run, when, on what, and what came of it (`eve.evidence.v1`). */
export type EvidenceReport = z.output<typeof anyReport>;

/** Parses a report from its bytes; `undefined` for anything that is not one, and the reason in words. */
export function parseEvidenceReport(
  bytes: Uint8Array,
):
  | { readonly ok: true; readonly report: EvidenceReport; readonly raw: JsonValue }
  | { readonly ok: false; readonly reason: string } {
  const parsed = parseJson(bytes, { profile: "registry" });
  if (!parsed.ok)
    return {
      ok: false,
      reason: `line ${parsed.fault.line}, column ${parsed.fault.column}: ${parsed.fault.reason}`,
    };
  const result = anyReport.safeParse(parsed.value);
  if (result.success) return { ok: true, report: result.data, raw: parsed.value };
  const [issue] = result.error.issues;
  return {
    ok: false,
    reason: `${issue?.path.join(".") ?? "report"}: ${issue?.message ?? "not a report"}`,
  };
}
