import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A file to write: absolute path and bytes. */
export interface PlannedFile {
  readonly path: string;
  readonly bytes: Uint8Array | string;
}

/**
 * Writes files so that each is old or new and never half: all bytes go to temporary files beside their targets first,
 * then each is renamed. If anything fails before the first rename, every target is as it was.
 */
export function writeFiles(files: readonly PlannedFile[]): void {
  const staged = files.map(({ path, bytes }) => ({
    path,
    bytes,
    temporary: `${path}.${randomUUID()}.tmp`,
  }));
  try {
    for (const { path, bytes, temporary } of staged) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary, bytes, { flag: "wx" });
    }
    for (const { path } of staged) requireNoFolder(path);
    for (const { path, temporary } of staged) renameSync(temporary, path);
  } finally {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
  }
}

/** The one thing a rename would stumble over when others are done already. */
function requireNoFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${path}: there is a folder in the place of a file`);
}
