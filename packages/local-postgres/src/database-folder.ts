import { createHash } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { closedFolder, databaseUser, type DatabaseUser } from "./database-user.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";

/** A new folder in the system's temporary folder, for a database that nobody keeps. */
export function temporaryFolder(user: DatabaseUser): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "eve-postgres-")));
  handOver(folder, user);
  return folder;
}

/**
 * Makes the folder of a database, or takes one that is there, and answers its real path. Throws `folder.invalid` (no
 * folder), `folder.owner` (another user's) and `folder.unreachable` (the user PostgreSQL runs as cannot enter it).
 */
export function databaseFolder(path: string, user: DatabaseUser): string {
  const folder = resolve(path);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    handOver(folder, user);
  } else adopt(folder, found, user);
  const real = realpathSync(folder);
  const closed = closedFolder(real, user);
  if (closed === undefined) return real;
  throw new LocalPostgresError(
    "folder.unreachable",
    `PostgreSQL runs as ${user.name} here, who may not enter ${closed}: choose a folder elsewhere, such as /var/lib/eve, or run this as an ordinary user`,
  );
}

/**
 * `preferred`, or where root asks and the user PostgreSQL runs as cannot enter that, a folder of its own for it under
 * `/var/lib/eve`; the same each time. A program that root may start from anywhere, such as `/root`, asks this first.
 */
export function reachableFolder(preferred: string, user: DatabaseUser = databaseUser()): string {
  const path = resolve(preferred);
  if (closedFolder(realpathSync(existing(path)), user) === undefined) return path;
  const id = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join("/var/lib/eve", `postgres-${id}`);
}

/** The path, or the first folder above it that is there. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

/** Gives a file or folder to the user PostgreSQL runs as. */
export function handOver(path: string, user: DatabaseUser): void {
  if (user.isOther) chownSync(path, user.uid, user.gid);
}

function adopt(folder: string, found: Stats, user: DatabaseUser): void {
  if (!found.isDirectory())
    throw new LocalPostgresError("folder.invalid", `${folder} is no folder`);
  const self = process.getuid?.();
  if (found.uid !== self && found.uid !== user.uid)
    throw new LocalPostgresError(
      "folder.owner",
      `${folder} belongs to user ${found.uid}, not to you: use a folder of your own`,
    );
  if (found.uid !== user.uid && readdirSync(folder).length === 0) handOver(folder, user);
}
