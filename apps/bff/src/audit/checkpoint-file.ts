import { Buffer } from "node:buffer";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { type FileFault, readRegularFileSync } from "@eve/mcp-guard/regular-file";
import {
  type Checkpoint,
  type CheckpointFault,
  checkpointLine,
  parseCheckpoint,
  type Trust,
} from "./checkpoint.ts";
import type { KeyObject } from "node:crypto";

/** Why a file of checkpoints says nothing: of the file, of a line, or of the order of two lines. */
export type CheckpointsFault = FileFault | CheckpointFault | "empty" | "out_of_order";

/** The checkpoints of a file in order, the newest last; or the first fault, with the number of its line from 1. */
export type Checkpoints =
  | { readonly ok: true; readonly all: readonly Checkpoint[]; readonly newest: Checkpoint }
  | { readonly ok: false; readonly fault: CheckpointsFault; readonly line: number };

const MAX_BYTES = 4 * 1024 * 1024;
/** More lines than this are thinned out. */
const MAX_LINES = 2_000;
/** Longer than two lines. */
const TAIL_BYTES = 4_096;
const LF = 10;
const MODE = 0o644;

/** Reads and checks every line. A last line without its end was cut off while it was written, and says nothing. */
export function readCheckpoints(file: string, trust: Trust): Checkpoints {
  const read = readRegularFileSync(file, { maxBytes: MAX_BYTES, followsLinks: true });
  if ("fault" in read) return { ok: false, fault: read.fault, line: 0 };
  const all: Checkpoint[] = [];
  for (const text of wholeLines(Buffer.from(read.bytes))) {
    const checkpoint = parseCheckpoint(text, trust);
    const line = all.length + 1;
    if (typeof checkpoint === "string") return { ok: false, fault: checkpoint, line };
    if (checkpoint.seq <= (all.at(-1)?.seq ?? -1))
      return { ok: false, fault: "out_of_order", line };
    all.push(checkpoint);
  }
  const newest = all.at(-1);
  return newest === undefined ? { ok: false, fault: "empty", line: 0 } : { ok: true, all, newest };
}

/** The newest checkpoint alone, from the end of the file: for who asks every second. */
export function readNewest(file: string, trust: Trust): Checkpoint | CheckpointsFault {
  const tail = readTail(file);
  if (typeof tail === "string") return tail;
  const text = wholeLines(tail).at(-1);
  return text === undefined ? "empty" : parseCheckpoint(text, trust);
}

/** Makes the file with its first checkpoint; throws as `fs` does, EEXIST where it is there. */
export function beginCheckpoints(file: string, checkpoint: Checkpoint, key: KeyObject): void {
  writeWhole(file, `${checkpointLine(checkpoint, key)}\n`, "wx");
  syncFolder(file);
}

/**
 * Adds a line, on the disk when this returns. What an interrupted writer left is removed first. A file of 2,000 lines
 * loses every other line of its older half: the newest proves all before it, and older ones tell when. One writer at a
 * time: the caller holds the lock.
 */
export function appendCheckpoint(file: string, checkpoint: Checkpoint, key: KeyObject): void {
  const read = readRegularFileSync(file, { maxBytes: MAX_BYTES, followsLinks: true });
  if ("fault" in read) throw new Error(`the checkpoint file is ${read.fault}`);
  const line = `${checkpointLine(checkpoint, key)}\n`;
  const bytes = Buffer.from(read.bytes);
  const lines = wholeLines(bytes);
  if (lines.length < MAX_LINES && bytes.at(-1) === LF) return writeWhole(file, line, "a");
  const kept = lines.length < MAX_LINES ? lines : thinned(lines);
  writeWhole(`${file}.new`, `${kept.map((text) => `${text.toString()}\n`).join("")}${line}`, "w");
  renameSync(`${file}.new`, file);
  syncFolder(file);
}

/** Without every other one of the older half; the first and the newest stay. */
export function thinned<T>(lines: readonly T[]): readonly T[] {
  const half = Math.floor(lines.length / 2);
  return lines.filter((_, at) => at >= half || at % 2 === 0);
}

/** The lines that have their end. */
function wholeLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(LF); to !== -1; to = bytes.indexOf(LF, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
}

function readTail(file: string): Buffer | FileFault {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return "not_regular";
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, stat.size));
    const read = readSync(descriptor, tail, 0, tail.length, stat.size - tail.length);
    const found = tail.subarray(0, read);
    // What is before the first end may be half a line, unless it is the file's beginning.
    return stat.size > TAIL_BYTES ? found.subarray(found.indexOf(LF) + 1) : found;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? "missing" : "unreadable";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeWhole(file: string, text: string, flag: "a" | "w" | "wx"): void {
  const descriptor = openSync(file, flag, MODE);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What Windows answers, which has no folder to open and none to sync. */
const NO_FOLDERS: readonly unknown[] = ["EISDIR", "EPERM"];

/** A new name outlives a power cut only once its folder is written. */
function syncFolder(file: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(dirname(file), constants.O_RDONLY);
    fsyncSync(descriptor);
  } catch (error) {
    // Any other fault is one of the disk: the checkpoint is not kept, and whoever signs must hear it.
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (!NO_FOLDERS.includes(code)) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
