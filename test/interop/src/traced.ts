import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Launch, temporaryFolder } from "./trial.ts";

/** What a program and its children asked the kernel for. */
export interface Reach {
  /** Programs it became or started, the first of which is itself. */
  readonly executed: readonly string[];
  /** Processes it made, threads not counted. */
  readonly processes: number;
  /** Calls that make or use sockets, pairs aside. */
  readonly sockets: readonly string[];
  /** Files it opened or tried to open. */
  readonly opened: readonly string[];
  /** Those of them it wanted to write, and what it made, moved or removed. */
  readonly written: readonly string[];
}

/** Whether programs can be traced here: on Linux with strace; under CI there they must be. */
export function canTrace(): boolean {
  if (process.platform !== "linux") return false;
  return process.env["CI"] === "true" || spawnSync("strace", ["--version"]).error === undefined;
}

/** What a suite adds to its title where it did not run. */
export function tracedNote(): string {
  if (canTrace()) return "";
  const note = " (NOT RUN: no program strace)";
  console.warn(note.trim());
  return note;
}

const CALLS =
  "execve,execveat,fork,vfork,clone,clone3,socket,connect,bind,sendto,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,truncate";

/** The same launch with each call of interest written down, and a function that reads them once it has ended. */
export function traced(launch: Launch): { readonly launch: Launch; readonly reach: () => Reach } {
  const file = join(temporaryFolder(), "calls");
  const args = ["-f", "-qq", "-s", "4096", "-e", `trace=${CALLS}`, "-o", file];
  return {
    launch: { ...launch, command: "strace", args: [...args, launch.command, ...launch.args] },
    reach: () => reachOf(readFileSync(file, "utf8")),
  };
}

/** Reads what `strace -f` wrote: a line a call, `PID name(arguments) = result`; a call of two lines has both. */
function reachOf(text: string): Reach {
  const calls = text.split("\n").flatMap((line) => {
    const found = /^\d+ +(?:<\.\.\. )?(?<name>\w+)(?:\(| resumed>)(?<rest>.*)$/.exec(line)?.groups;
    return found ? [{ name: found["name"] ?? "", rest: found["rest"] ?? "" }] : [];
  });
  const of = (...names: readonly string[]): readonly string[] =>
    calls.flatMap(({ name, rest }) => (names.includes(name) ? [rest] : []));
  const opens = of("open", "openat", "openat2", "creat");
  const changes = calls.filter(({ name }) =>
    /^(mkdir|rename|unlink|link|symlink|truncate)/.test(name),
  );
  return {
    executed: of("execve", "execveat")
      .filter((rest) => rest.endsWith("= 0"))
      .flatMap(firstPath),
    processes: of("fork", "vfork", "clone", "clone3").filter(
      (rest) => / = \d+$/.test(rest) && !rest.includes("CLONE_THREAD"),
    ).length,
    sockets: of("socket", "connect", "bind", "sendto"),
    opened: opens.flatMap(firstPath),
    written: [
      ...opens.filter((rest) => /O_(WRONLY|RDWR|CREAT|TRUNC)/.test(rest)).flatMap(firstPath),
      ...changes.flatMap(({ rest }) => firstPath(rest)),
    ],
  };
}

/** The first text in double quotes. */
function firstPath(rest: string): readonly string[] {
  const path = /"(?<path>(?:[^"\\]|\\.)*)"/.exec(rest)?.groups?.["path"];
  return path === undefined ? [] : [path];
}
