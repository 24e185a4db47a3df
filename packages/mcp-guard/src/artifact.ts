import { type Sha256, sha256 } from "@eve/canonical-json";
import { MeasuringError } from "./measuring-error.ts";
import { readRegularFileSync } from "./regular-file.ts";

/** A file that runs: its path as the entry names it, and the digest of its bytes. */
export interface MeasuredArtifact {
  readonly path: string;
  readonly sha256: Sha256;
}

/**
 * Measures the artifact at `file`, named `path` in the entry; synchronous, so that a program can measure itself
 * before it does anything else. A symlink is not followed. Throws {@link MeasuringError}: `artifact.unreadable`,
 * `artifact.not_regular`.
 */
export function observeArtifact(file: string, path: string): MeasuredArtifact {
  const read = readRegularFileSync(file);
  if ("bytes" in read) return { path, sha256: sha256(read.bytes) };
  if (read.fault === "not_regular")
    throw new MeasuringError("artifact.not_regular", `${file} is no regular file`);
  throw new MeasuringError("artifact.unreadable", `cannot read the artifact ${file}`);
}
