import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { writeSecret } from "./services/secret-file.ts";

/** A folder of one run. */
export interface RunFolder {
  readonly path: string;
  /** Removes it with all in it; may be called again. */
  readonly remove: () => void;
}

/** Makes a new folder that only this user may enter, under `parent`. */
export function makeRunFolder(parent: string): RunFolder {
  const path = mkdtempSync(join(realpathSync(parent), "eve-quickstart-"));
  return { path, remove: () => removeFolder(path) };
}

/** Where the folder of a run that stays up keeps the process id of its run. */
const HOLDER = "pid";

/**
 * The folder `path`, empty and held by this run, so that what was pasted into a client works again after the next
 * start. Undefined where another run that still lives holds it, or it cannot be written.
 */
export function takeRunFolder(path: string): RunFolder | undefined {
  const holder = join(path, HOLDER);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    if (isHeld(holder)) return undefined;
    for (const name of readdirSync(path)) removeFolder(join(path, name));
    writeSecret(holder, String(process.pid));
    return { path: realpathSync(path), remove: () => removeFolder(path) };
  } catch {
    return undefined;
  }
}

function isHeld(holder: string): boolean {
  try {
    process.kill(Number(readFileSync(holder, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}

// A child that was just killed may still have been writing into it.
function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}
