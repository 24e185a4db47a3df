import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalPostgresError } from "./local-postgres-error.ts";

/**
 * Copies the folder `native` to the system's temporary folder, once a version and user, and answers where. `prepare`
 * finishes the copy before it gets its name, so a copy with that name is whole; everybody may read it. A copy that another user made is
 * never run: `binaries.missing`.
 */
export function copyOut(
  native: string,
  version: string,
  prepare: (copy: string) => boolean,
): string {
  const owner = process.getuid?.() ?? -1;
  const copy = join(tmpdir(), `eve-postgres-${version}-${owner}`);
  if (isOurs(copy, owner)) return copy;
  const unfinished = mkdtempSync(`${copy}.`);
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  if (!prepare(unfinished))
    throw new LocalPostgresError("binaries.missing", `cannot link the libraries in ${unfinished}`);
  open(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another start was faster.
    if (!isOurs(copy, owner))
      throw new LocalPostgresError("binaries.missing", `cannot make the copy ${copy}`, error);
  }
  return copy;
}

/** Lets everybody read and run what the owner may, and change nothing: the installation may be closed to others. */
function open(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) open(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function isOurs(copy: string, owner: number): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isDirectory() && found.uid === owner && (found.mode & 0o022) === 0) return true;
  throw new LocalPostgresError("binaries.missing", `${copy} is not ours: remove it`);
}
