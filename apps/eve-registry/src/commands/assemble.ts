import { assembleWithEvidence, readSources } from "@eve/registry/sources";
import { join } from "node:path";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import type { Workspace } from "../workspace.ts";
import { writeFiles } from "../write-files.ts";

/** Checks structure and evidence, and writes the assembled registry.json into a folder (absolute path). Refused: nothing is written. */
export function assembleTo({ registry }: Workspace, to: string): Outcome {
  const read = readSources(registry);
  if (!read.ok) return refusedOutcome(read.refusals);
  const assembled = assembleWithEvidence(read.sources);
  if (!assembled.ok) return refusedOutcome(assembled.refusals);
  const file = join(to, "registry.json");
  writeFiles([{ path: file, bytes: assembled.bytes }]);
  const { sequence, integrations, sha256 } = assembled.registry;
  return {
    lines: [
      `✓ ${file}: sequence ${sequence}, ${integrations.size} ${integrations.size === 1 ? "entry" : "entries"}`,
    ],
    json: { file, sequence, integrations: [...integrations.keys()], sha256 },
    refusals: [],
  };
}
