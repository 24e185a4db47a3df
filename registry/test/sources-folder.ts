import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bytesOf, goodDocument, goodEntry, goodEvidence, NOW } from "@eve/test-kit";

/** Writes a folder of good registry sources and answers its path. */
export function writeGoodSources(): string {
  const entry = goodEntry({ now: NOW });
  const { integrations: _, ...manifest } = goodDocument({ entries: [entry] }).value;
  const folder = mkdtempSync(join(tmpdir(), "eve-sources-"));
  write(folder, "registry.json", bytesOf(manifest));
  write(folder, "integrations/notes.json", bytesOf(entry));
  for (const [path, bytes] of goodEvidence(entry)) write(folder, path, bytes);
  return folder;
}

/** Writes one file of such a folder. */
export function write(folder: string, path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}
