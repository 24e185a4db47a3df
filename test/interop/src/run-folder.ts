import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of this run's trials; gone afterwards. */
    readonly runFolder: string;
  }
}

/** Makes the folder of a run before its first test and removes it after the last. */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "eve-interop-"));
  provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
