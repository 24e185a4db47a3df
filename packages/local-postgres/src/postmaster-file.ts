import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faultCode } from "./local-postgres-error.ts";

/** What a server tells of itself in its `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: "starting" | "stopping" | "ready" | "standby" | "unknown";
}

const STATUSES = ["starting", "stopping", "ready", "standby"] as const;

/** Reads `postmaster.pid` of a data folder; undefined where there is none, or only a part yet. */
export function readPostmaster(data: string): Postmaster | undefined {
  let lines: readonly string[];
  try {
    lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (faultCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined;
  const status = STATUSES.find((known) => known === lines[7]?.trim()) ?? "unknown";
  // A negative number stands for a server in single-user mode.
  return { pid: Math.abs(pid), port: Number(lines[3]), status };
}

/** Whether a process of that id runs, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return faultCode(error) === "EPERM";
  }
}

/** Whether the process is a PostgreSQL, as far as the system tells: an id is used again after a restart. */
export function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}
