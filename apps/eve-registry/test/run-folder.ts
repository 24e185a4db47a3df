import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder that is gone after the run, whatever became of it. */
    readonly runFolder: string;
  }
}

/** Makes the run's folder; answers what removes it. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "eve-registry-cli-"));
  project.provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
