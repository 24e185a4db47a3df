import { type JsonObject, sha256 } from "@eve/canonical-json";
import { bytesOf, listIn, objectIn, textIn, valueAt } from "./json.ts";
import { launchOf, surfaceDigest } from "./pins.ts";

/** The three reports of an entry, and the raw surfaces its review names. */
export interface EvidenceFiles {
  readonly reports: {
    readonly health: JsonObject;
    readonly evaluation: JsonObject;
    readonly review: JsonObject;
  };
  /** Path from the registry's folder → bytes. */
  readonly surfaces: ReadonlyMap<string, Uint8Array>;
}

/** The evidence that supports an entry of the kit: every file it names, path → bytes. */
export function goodEvidence(entry: JsonObject): ReadonlyMap<string, Uint8Array> {
  const { reports, surfaces } = evidenceFiles(entry);
  return new Map([
    ...(["health", "evaluation", "review"] as const).map(
      (part) => [evidencePath(entry, part), bytesOf(reports[part])] as const,
    ),
    ...surfaces,
  ]);
}

/** The same as values, for a test that changes one field of a report. */
export function evidenceFiles(entry: JsonObject): EvidenceFiles {
  const versions = listIn(objectIn(entry["protocol"])["versions"]).map(textIn);
  const surfaces = new Map(
    versions.map((version) => [
      `evidence/${textIn(entry["id"])}/review/surface-${version}.json`,
      bytesOf({ protocolVersion: version, tools: [] }),
    ]),
  );
  const review = objectIn(entry["review"]);
  return {
    surfaces,
    reports: {
      health: {
        ...common(entry, "health"),
        outcome: "healthy",
        checks: [{ title: "it answers", passed: true }],
      },
      evaluation: {
        ...common(entry, "evaluation"),
        outcome: "passed",
        tests: { passed: 12, failed: 0, skipped: 0 },
      },
      review: {
        ...common(entry, "review"),
        basis: review["basis"] ?? null,
        reviewer: review["reviewer"] ?? null,
        subject: review["subject"] ?? null,
        launch: launchOf(entry),
        surfaces: [...surfaces].map(([path, bytes], i) => ({
          protocolVersion: versions[i] ?? "",
          path,
          sha256: sha256(bytes),
        })),
      },
    },
  };
}

/** The path of one part's report. */
export function evidencePath(entry: JsonObject, part: "health" | "evaluation" | "review"): string {
  return textIn(valueAt(entry, [part, "evidence", "path"]));
}

function common(entry: JsonObject, part: "health" | "evaluation" | "review"): JsonObject {
  const source = objectIn(entry["source"]);
  const dated = objectIn(entry[part]);
  return {
    contract: "eve.evidence.v1",
    kind: part,
    integration: entry["id"] ?? null,
    observedAt: dated[part === "review" ? "reviewedAt" : "observedAt"] ?? null,
    command: ["eve-registry", "renew", textIn(entry["id"])],
    tools: { node: "26.10.0" },
    reason: "Renewed on schedule",
    digests: {
      source: source["sha256"] ?? null,
      artifacts: source["artifacts"] ?? [],
      surface: surfaceDigest(entry),
    },
  };
}
