import { execFile } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { promisify } from "node:util";

const HAS_GROUPS = process.platform !== "win32";

/** One process; `started` tells a later process with the same id apart. */
export interface ProcessRef {
  readonly pid: number;
  readonly started: string;
}

/** Signals a whole process group whose leader is `pid` (on Windows the process itself). Gone processes are no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    return false;
  }
}

/**
 * The living descendants of `pid`, those in other process groups too: what a child that called setsid(2) leaves its
 * parent's group for. A process whose parent has already ended is nobody's descendant and is not found.
 */
export async function descendantsOf(pid: number): Promise<readonly ProcessRef[]> {
  const processes = await listProcesses();
  const found: ProcessRef[] = [];
  const parents = new Set([pid]);
  // A child may be listed before its parent: repeat until nothing new is found.
  for (let before = -1; before !== parents.size;) {
    before = parents.size;
    for (const { parent, ...child } of processes) {
      if (!parents.has(parent) || parents.has(child.pid)) continue;
      parents.add(child.pid);
      found.push(child);
    }
  }
  return found;
}

/** Those of `processes` that still are the processes they were. */
export async function livingOf(processes: readonly ProcessRef[]): Promise<readonly ProcessRef[]> {
  if (processes.length === 0) return [];
  const now = new Map((await listProcesses()).map(({ pid, started }) => [pid, started]));
  return processes.filter(({ pid, started }) => now.get(pid) === started);
}

/** Signals those of `processes` that still are the processes they were. */
export async function signalAll(
  processes: readonly ProcessRef[],
  signal: NodeJS.Signals,
): Promise<void> {
  for (const { pid } of await livingOf(processes)) {
    // Its own group, where it leads one, and itself.
    signalGroup(pid, signal);
    try {
      process.kill(pid, signal);
    } catch {
      // It ended in the meantime.
    }
  }
}

interface ProcessRow extends ProcessRef {
  readonly parent: number;
}

async function listProcesses(): Promise<readonly ProcessRow[]> {
  try {
    return process.platform === "linux" ? await listProc() : await listPs();
  } catch {
    return [];
  }
}

async function listProc(): Promise<readonly ProcessRow[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    pids.map(async (pid) =>
      parseStat(Number(pid), await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
    ),
  );
  return rows.filter((row) => row !== undefined);
}

/** proc(5): the name is in brackets and may hold anything; then state (3), parent (4), … start time (22). */
function parseStat(pid: number, stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent] = fields;
  const started = fields[19];
  if (state === undefined || state === "Z" || parent === undefined || started === undefined)
    return undefined;
  return { pid, parent: Number(parent), started };
}

async function listPs(): Promise<readonly ProcessRow[]> {
  if (!HAS_GROUPS) return [];
  const { stdout } = await promisify(execFile)("/bin/ps", ["-axo", "pid=,ppid=,lstart="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, started] = /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
    return started === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), started }];
  });
}
