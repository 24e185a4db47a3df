import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { LocalPostgresError } from "./local-postgres-error.ts";

/** The user whom root becomes for PostgreSQL, which refuses to run as root. */
const UNPRIVILEGED = "nobody";

/** Whom PostgreSQL runs as. `isOther`: root starts it, and must hand files over. */
export interface DatabaseUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  readonly isOther: boolean;
}

/** The caller, or for root an unprivileged user. Throws `user.missing` where the system has none. */
export function databaseUser(): DatabaseUser {
  const uid = process.getuid?.() ?? -1;
  const gid = process.getgid?.() ?? -1;
  if (uid !== 0) return { uid, gid, name: `user ${uid}`, isOther: false };
  return { uid: idOf("-u"), gid: idOf("-g"), name: UNPRIVILEGED, isOther: true };
}

function idOf(which: "-u" | "-g"): number {
  try {
    const id = Number(execFileSync("id", [which, UNPRIVILEGED], { stdio: "pipe" }));
    if (id > 0) return id;
  } catch (error) {
    throw new LocalPostgresError(
      "user.missing",
      `PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED} to run it as`,
      error,
    );
  }
  throw new LocalPostgresError("user.missing", `the user ${UNPRIVILEGED} is root here`);
}

/** The first folder from `path` (a real path) upwards that the user may not enter; undefined if all are open. */
export function closedFolder(path: string, user: DatabaseUser): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (!mayEnter(at, user)) return at;
    if (at === dirname(at)) return undefined;
  }
}

function mayEnter(path: string, user: DatabaseUser): boolean {
  const { uid, gid, mode } = statSync(path);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0;
}
