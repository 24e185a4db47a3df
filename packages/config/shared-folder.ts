import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Where a part of the shared folder is: `EVE_SHARED_DIR`, or the folder `shared` beside the project. */
export function sharedFolder(...path: readonly string[]): string {
  const shared = process.env["EVE_SHARED_DIR"] || join(dirname(REPOSITORY), "shared");
  return join(shared, ...path);
}

/** Whether tests against a shared folder run. Under CI they do wherever it is, and fail where it is missing. */
export function runsAgainst(folder: string): boolean {
  return existsSync(folder) || process.env["CI"] === "true";
}

/** What a suite adds to its title where it did not run; it warns of it too, as a reporter may leave skipped ones out. */
export function missingNote(folder: string): string {
  if (runsAgainst(folder)) return "";
  const note = ` (NOT RUN: no folder ${folder})`;
  console.warn(note.trim());
  return note;
}
