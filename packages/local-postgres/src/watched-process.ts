import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { DatabaseUser } from "./database-user.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { identityOf } from "./run-program.ts";

/**
 * Runs "$@" until it ends or standard input does, then asks it to end (SIGINT: PostgreSQL's fast shutdown, and what a service stops at). The other
 * end of that pipe is the parent's alone, and the system closes it however the parent dies. If this shell is killed,
 * the part that reads goes on. (That part succeeds only if its input ended.)
 */
const WATCHDOG = `
umask 077
exec 3<&0
"$@" >>"$EVE_WATCHED_LOG" 2>&1 </dev/null 3<&- &
server=$!
echo "$server"
exec >/dev/null
(read -r _ <&3; kill -INT "$server") 2>/dev/null &
watch=$!
exec 3<&-
wait "$server"
status=$?
kill "$watch" 2>/dev/null
if wait "$watch" && [ -n "$EVE_WATCHED_REMOVE" ]; then rm -rf -- "$EVE_WATCHED_REMOVE"; fi
exit "$status"
`;

const STOP_MS = 20_000;

/** What to run, as whom. */
export interface WatchedLaunch {
  readonly program: string;
  readonly args: readonly string[];
  readonly user: DatabaseUser;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The file that takes what the program says. */
  readonly log: string;
  /** A folder to remove when the program has ended because it was asked to, or because the parent is gone. */
  readonly remove: string | undefined;
}

/** A program that ends when its parent does. It does not keep the parent running. */
export interface WatchedProcess {
  /** The id of the program. */
  readonly pid: number;
  /** The program's exit status, once it has ended. */
  readonly ended: Promise<number>;
  hasEnded(): boolean;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

/** Starts a program under the watchdog, in a session of its own, so that Ctrl-C in the parent's terminal does not reach it. */
export async function startWatched(launch: WatchedLaunch): Promise<WatchedProcess> {
  const { program, args, user, env, cwd, log, remove } = launch;
  const child = spawn("/bin/sh", ["-c", WATCHDOG, "eve-watched", program, ...args], {
    ...identityOf(user),
    cwd,
    detached: true,
    env: {
      ...env,
      EVE_WATCHED_LOG: log,
      EVE_WATCHED_REMOVE: remove ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  let isOver = false;
  const ended = once(child, "exit").then(([status]: unknown[]) => {
    isOver = true;
    return typeof status === "number" ? status : -1;
  });
  const pid = await Promise.race([firstNumber(child.stdout), ended.then(() => Number.NaN)]);
  if (Number.isNaN(pid))
    throw new LocalPostgresError("server.failed", `cannot run ${program} by /bin/sh`);
  letGo(child);
  return { pid, ended, hasEnded: () => isOver, stop: () => stop(child, ended) };
}

async function firstNumber(output: Readable): Promise<number> {
  const [line] = await once(output, "data");
  return Number.parseInt(String(line), 10);
}

function letGo(child: ChildProcessByStdio<Writable, Readable, null>): void {
  child.unref();
  child.stdout.destroy();
  if (child.stdin instanceof Socket) child.stdin.unref();
}

async function stop(
  child: ChildProcessByStdio<Writable, Readable, null>,
  ended: Promise<number>,
): Promise<void> {
  child.ref();
  child.stdin.end();
  // An immediate shutdown of the whole group loses nothing that was committed: the next start recovers.
  const force = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGQUIT");
  }, STOP_MS);
  await ended;
  clearTimeout(force);
}
