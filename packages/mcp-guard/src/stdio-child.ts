import { type ChildProcess, spawn } from "node:child_process";
import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import {
  descendantsOf,
  livingOf,
  type ProcessRef,
  signalAll,
  signalGroup,
} from "./process-tree.ts";
import type { WireChannel } from "./wire-session.ts";

/** What to start, without a shell. */
export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child: nothing is inherited, PATH neither. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * Gets what the child writes to stderr; without it, that is discarded. `observeStdioServer` and `connectStdio` take
   * the values of `env`, and what has the form of a credential, out of it first; `spawnStdio` hands it on as it is.
   */
  readonly onStderr?: (chunk: Uint8Array) => void;
  /** Milliseconds that end of stdin and SIGTERM each get before the next, harder step; 500 where it is not said. */
  readonly graceMs?: number;
}

/** How a child ended. */
export interface StdioExit {
  /** The exit code, or null where a signal ended it or it never started. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it never started: `ENOENT`, `EACCES`, …; undefined where it did start. */
  readonly startError: string | undefined;
}

/** A child that speaks on stdin and stdout. */
export interface StdioChild {
  /** Undefined where it never started. */
  readonly pid: number | undefined;
  readonly channel: WireChannel;
  /** Resolves once the child has ended, or failed to start; never rejects. */
  readonly exit: Promise<StdioExit>;
  /**
   * Ends the child and its whole process tree: end of stdin, then SIGTERM, then SIGKILL, `graceMs` each; what
   * outlives the child gets SIGKILL at once. A descendant that left both group and parent is not found. Never
   * rejects; may be called again.
   */
  end(): Promise<StdioExit>;
}

/** Milliseconds of grace where the launch does not say. */
const GRACE_MS = 500;

/** Milliseconds to wait for a killed group to be gone. */
const GONE_MS = 1_000;

/** Groups that were not ended yet. */
const living = new Set<number>();
let isWatchingExit = false;

/**
 * Starts a child in its own process group (no groups on Windows), with exactly the given environment. Never throws:
 * a child that cannot be started answers so in `exit`, and its channel is at its end.
 */
export function spawnStdio(launch: StdioLaunch): StdioChild {
  let child: ChildProcess;
  try {
    child = spawn(launch.command, [...launch.args], {
      ...(launch.cwd !== undefined && { cwd: launch.cwd }),
      env: { ...launch.env },
      stdio: ["pipe", "pipe", launch.onStderr ? "pipe" : "ignore"],
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    return neverStarted(codeOf(error));
  }
  const { stdin, stdout, stderr, pid } = child;
  const { graceMs = GRACE_MS } = launch;
  const exit = exitOf(child);
  if (pid === undefined || stdin === null || stdout === null) return neverStarted(exit);
  // A pipe may break at any time, also when nobody measures any more.
  stdin.on("error", ignore);
  stdout.on("error", ignore);
  stderr?.on("error", ignore).on("data", (chunk: Uint8Array) => launch.onStderr?.(chunk));
  killWithParent(pid);
  let ending: Promise<StdioExit> | undefined;
  const channel: WireChannel = { toServer: stdin, fromServer: stdout };
  const end = (): Promise<StdioExit> => {
    // A child that still writes must be able to, or it cannot end by itself.
    stdout.resume();
    return (ending ??= endTree(pid, channel, exit, graceMs).then((ended) =>
      drained(ended, stdout, stderr),
    ));
  };
  return { pid, channel, exit, end };
}

async function endTree(
  pid: number,
  { toServer }: WireChannel,
  exit: Promise<StdioExit>,
  graceMs: number,
): Promise<StdioExit> {
  // Before anything ends: an orphan's parent is no longer known.
  const strays = await descendantsOf(pid);
  toServer.end();
  if (!(await settlesWithin(exit, graceMs))) {
    signalGroup(pid, "SIGTERM");
    await signalAll(strays, "SIGTERM");
    await settlesWithin(exit, graceMs);
  }
  signalGroup(pid, "SIGKILL");
  await signalAll(strays, "SIGKILL");
  const ended = await exit;
  await treeIsGone(pid, strays);
  living.delete(pid);
  return ended;
}

/** What it wrote before it ended may still be read, unless someone else holds the pipes open. */
async function drained(ended: StdioExit, ...outputs: (Readable | null)[]): Promise<StdioExit> {
  const open = outputs.filter((output) => output !== null);
  const ends = open.map((output) => finished(output, { writable: false }).catch(ignore));
  await settlesWithin(Promise.all(ends), GONE_MS);
  for (const output of open) output.destroy();
  return ended;
}

function exitOf(child: ChildProcess): Promise<StdioExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal, startError: undefined }));
    // "error" comes for failed signals too; only without a pid does it mean that there is no child.
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, startError: codeOf(error) });
    });
  });
}

function neverStarted(why: string | Promise<StdioExit>): StdioChild {
  const exit =
    typeof why === "string" ? Promise.resolve({ code: null, signal: null, startError: why }) : why;
  const channel = { toServer: new PassThrough(), fromServer: new PassThrough() };
  channel.toServer.resume();
  channel.fromServer.end();
  return { pid: undefined, channel, exit, end: () => exit };
}

/** A group of its own does not get the terminal's Ctrl-C: when this process exits, its children must too. */
function killWithParent(pid: number): void {
  living.add(pid);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("exit", killLiving);
}

function killLiving(): void {
  for (const pid of living) signalGroup(pid, "SIGKILL");
}

/** Killed processes end a moment later; one that nobody reaps still counts in its group, so the wait is bounded. */
async function treeIsGone(pid: number, strays: readonly ProcessRef[]): Promise<void> {
  const end = performance.now() + GONE_MS;
  const isLeft = async (): Promise<boolean> =>
    signalGroup(pid, 0) || (await livingOf(strays)).length > 0;
  // There is no event for the end of a process that is not ours.
  while ((await isLeft()) && performance.now() < end) await setTimeout(5);
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = setTimeout(ms, false, { signal: timer.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return isSettled;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown";
}

function ignore(): void {}
