import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";

// Windows has neither flag. Without O_NONBLOCK, opening a FIFO would wait for its writer.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const READ_NO_LINK = READ | (constants.O_NOFOLLOW ?? 0);

/** More than any file that is measured has. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Why a file gives no bytes. */
export type FileFault = "missing" | "unreadable" | "not_regular" | "too_large";

/** A file's bytes, or why there are none. */
export type FileResult = { readonly bytes: Uint8Array } | { readonly fault: FileFault };

/** How a file is read. */
export interface ReadOptions {
  /** A larger file is `too_large`; 256 MiB where left out. */
  readonly maxBytes?: number;
  /** Whether the last part of the path may be a symlink; if not, one is `unreadable`. */
  readonly followsLinks?: boolean;
}

/** The bytes of a regular file, read through the descriptor that was checked; undefined if it is anything else. Rejects as fs does (a symlink: ELOOP). */
export async function readRegularFile(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file, READ_NO_LINK);
  try {
    return (await handle.stat()).isFile() ? await handle.readFile() : undefined;
  } finally {
    await handle.close();
  }
}

/** The same at once and without throwing, for what decides before anything else runs. */
export function readRegularFileSync(
  file: string,
  { maxBytes = MAX_FILE_BYTES, followsLinks = false }: ReadOptions = {},
): FileResult {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, followsLinks ? READ : READ_NO_LINK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { fault: "not_regular" };
    return stat.size > maxBytes
      ? { fault: "too_large" }
      : readUpTo(descriptor, maxBytes, stat.size);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { fault: isMissing ? "missing" : "unreadable" };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const CHUNK_BYTES = 65_536;

/** Reads to the end or the bound: a file may grow after it was looked at, and some (/proc) have no size at all. */
function readUpTo(descriptor: number, maxBytes: number, size: number): FileResult {
  const chunks: Uint8Array[] = [];
  // One byte more than it has: a file that stays as it is ends in the first chunk.
  let free = Buffer.alloc(size === 0 ? CHUNK_BYTES : Math.min(size, maxBytes) + 1);
  for (let length = 0; ;) {
    const read = readSync(descriptor, free);
    if (read === 0) return { bytes: Buffer.concat(chunks) };
    length += read;
    if (length > maxBytes) return { fault: "too_large" };
    chunks.push(free.subarray(0, read));
    free = read < free.length ? free.subarray(read) : Buffer.alloc(CHUNK_BYTES);
  }
}
