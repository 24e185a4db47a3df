import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A temporary folder of one run. */
export interface RunFolder {
  readonly path: string;
  /** Removes it with all in it; may be called again. */
  readonly remove: () => void;
}

/** Makes a new folder that only this user may enter, under `parent`. */
export function makeRunFolder(parent: string): RunFolder {
  const path = mkdtempSync(join(realpathSync(parent), "eve-quickstart-"));
  // A child that was just killed may still have been writing into it.
  return {
    path,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }),
  };
}
