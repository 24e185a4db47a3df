import { type JsonObject, type JsonValue, sha256 } from "@eve/canonical-json";
import {
  bytesOf,
  evidenceFiles,
  evidencePath,
  goodEntry,
  goodEvidence,
  NOW,
  type Path,
  withValue,
} from "@eve/test-kit";

type EvidencePart = "health" | "evaluation" | "review";

/** An entry and the files its evidence names. */
export interface EvidenceCase {
  readonly entry: JsonObject;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** One way in which evidence does not support its entry. */
export interface EvidenceRow {
  readonly part: EvidencePart;
  readonly title: string;
  readonly reason: string;
  readonly change: (on: EvidenceCase) => EvidenceCase;
}

export function goodEvidenceCase(entry: JsonObject = goodEntry({ now: NOW })): EvidenceCase {
  return { entry, files: goodEvidence(entry) };
}

const without =
  (part: EvidencePart) =>
  (on: EvidenceCase): EvidenceCase => ({
    ...on,
    files: new Map([...on.files].filter(([path]) => path !== evidencePath(on.entry, part))),
  });
const withFile =
  (part: EvidencePart, bytes: Uint8Array) =>
  (on: EvidenceCase): EvidenceCase => ({
    ...on,
    files: new Map([...on.files, [evidencePath(on.entry, part), bytes]]),
  });
/** Other bytes, and the entry states their digest. */
const restated =
  (part: EvidencePart, bytes: Uint8Array) =>
  (on: EvidenceCase): EvidenceCase =>
    withFile(
      part,
      bytes,
    )({ ...on, entry: withValue(on.entry, [part, "evidence", "sha256"], sha256(bytes)) });
/** A report with one field changed, and the entry states its digest. */
const report =
  (part: EvidencePart, path: Path, value: JsonValue | undefined) =>
  (on: EvidenceCase): EvidenceCase =>
    restated(part, bytesOf(withValue(evidenceFiles(on.entry).reports[part], path, value)))(on);

const PARTS = ["health", "evaluation", "review"] as const;
const RUNS = ["health", "evaluation"] as const;
const each = (
  parts: readonly EvidencePart[],
  title: string,
  reason: string,
  change: (part: EvidencePart) => EvidenceRow["change"],
): readonly EvidenceRow[] => parts.map((part) => ({ part, title, reason, change: change(part) }));
const OTHER = "f".repeat(64);

/** The ways, by part; the code of each is `<part>.evidence_mismatch`. */
export const EVIDENCE_SHEET: readonly EvidenceRow[] = [
  ...each(PARTS, "no file", "Evidence that is not there proves nothing", without),
  ...each(PARTS, "a file of other bytes", "The digest is of the bytes", (part) =>
    withFile(part, new Uint8Array([123, 125])),
  ),
  ...each(
    PARTS,
    "a file with one line feed more",
    "The digest is of the bytes",
    (part) => (on) =>
      withFile(
        part,
        new Uint8Array([...(on.files.get(evidencePath(on.entry, part)) ?? []), 10]),
      )(on),
  ),
  ...each(PARTS, "a file that is no report", "A digest alone says nothing", (part) =>
    restated(part, bytesOf({ all: "good" })),
  ),
  ...each(
    PARTS,
    "a report with a key twice",
    "Reports are read as strictly as the registry",
    (part) => restated(part, new TextEncoder().encode('{"kind":"health","kind":"review"}')),
  ),
  ...each(
    PARTS,
    "a report of another part",
    "Each part has a report of its kind",
    (part) => (on) =>
      restated(
        part,
        bytesOf(evidenceFiles(on.entry).reports[part === "health" ? "review" : "health"]),
      )(on),
  ),
  ...each(PARTS, "a report of another entry", "Reports name their entry", (part) =>
    report(part, ["integration"], "memos"),
  ),
  ...each(PARTS, "a report of another time", "Merely extending an expiry is no renewal", (part) =>
    report(part, ["observedAt"], "2026-11-30T00:00:00Z"),
  ),
  ...each(PARTS, "a report of another surface", "What was seen is what is pinned", (part) =>
    report(part, ["digests", "surface"], OTHER),
  ),
  ...each(RUNS, "a report of another source", "What was run is what is admitted", (part) =>
    report(part, ["digests", "source"], OTHER),
  ),
  ...each(RUNS, "a report of another artifact", "What was run is what is admitted", (part) =>
    report(part, ["digests", "artifacts", 0, "sha256"], OTHER),
  ),
  ...each(RUNS, "a report of fewer artifacts", "What was run is what is admitted", (part) =>
    report(part, ["digests", "artifacts", 1], undefined),
  ),
  {
    part: "health",
    title: "a report of an unhealthy server",
    reason: "The outcome is the entry's status",
    change: report("health", ["outcome"], "unhealthy"),
  },
  {
    part: "health",
    title: "a healthy report with a check that failed",
    reason: "An outcome does not outvote its checks",
    change: report("health", ["checks", 0, "passed"], false),
  },
  {
    part: "evaluation",
    title: "a report of a failed suite",
    reason: "The outcome is the entry's status",
    change: report("evaluation", ["outcome"], "failed"),
  },
  {
    part: "evaluation",
    title: "a passed report with a test that failed",
    reason: "An outcome does not outvote its tests",
    change: report("evaluation", ["tests", "failed"], 1),
  },
  {
    part: "evaluation",
    title: "a passed report of no test",
    reason: "No gate that cannot fail",
    change: report("evaluation", ["tests", "passed"], 0),
  },
  {
    part: "review",
    title: "a report by another reviewer",
    reason: "The reviewer is who reviewed",
    change: report("review", ["reviewer"], "notes-team"),
  },
  {
    part: "review",
    title: "a report on another basis",
    reason: "Generated is not reviewed",
    change: report("review", ["basis"], "generated"),
  },
  {
    part: "review",
    title: "a report on another subject",
    reason: "A review decides what it saw",
    change: report("review", ["subject"], OTHER),
  },
  {
    part: "review",
    title: "a report on fewer protocol versions",
    reason: "Each version's surface is reviewed",
    change: report("review", ["surfaces", 0], undefined),
  },
  {
    part: "review",
    title: "a report of another raw surface",
    reason: "The reviewed surface is kept for diffs",
    change: report("review", ["surfaces", 0, "sha256"], OTHER),
  },
  {
    part: "review",
    title: "a raw surface that is gone",
    reason: "The reviewed surface is kept for diffs",
    change: (on) => ({
      ...on,
      files: new Map([...on.files].filter(([path]) => !path.includes("surface-2025"))),
    }),
  },
  {
    part: "health",
    title: "a status without a run",
    reason: "The outcome is the entry's status",
    change: (on) => ({ ...on, entry: withValue(on.entry, ["health", "status"], "unknown") }),
  },
  {
    part: "evaluation",
    title: "an entry's date moved without a run",
    reason: "Merely extending an expiry is no renewal",
    change: (on) => ({
      ...on,
      entry: withValue(on.entry, ["evaluation", "observedAt"], "2026-12-01T11:30:00Z"),
    }),
  },
];
