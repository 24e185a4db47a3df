import type { DatabaseUser } from "./database-user.ts";
import { startWatched, type WatchedProcess } from "./watched-process.ts";

export type { WatchedProcess } from "./watched-process.ts";

/** A service to run beside the database. */
export interface WatchedProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The file that takes what the program says; only its owner may read it. */
  readonly log: string;
}

/** Starts a program as the caller, under the watchdog that ends PostgreSQL with this process: SIGINT however this one ends. */
export function startWatchedProgram(launch: WatchedProgram): Promise<WatchedProcess> {
  const self: DatabaseUser = {
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    name: "the caller",
    isOther: false,
  };
  return startWatched({ ...launch, user: self, remove: undefined });
}
