import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { framedDigest, type Sha256, sha256 } from "@eve/canonical-json";
import { compareUtf8 } from "./byte-order.ts";
import { MeasuringError } from "./measuring-error.ts";
import { readRegularFile } from "./regular-file.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** How many files are open at once. */
const WIDTH = 32;

/**
 * The digest of one package's own files: `framedDigest("eve/package/1", [{path, sha256}, …])`, relative POSIX paths
 * in the order of their UTF-8 bytes. Its top `node_modules` is left out: packages of their own. Anything that is
 * neither a regular file nor a folder is refused: a symlink is never followed, since its target could change and
 * the digest not. Rejects with {@link MeasuringError}: `package.entry_not_regular`, `package.path_invalid`, `package.unreadable`.
 */
export async function packageDigest(folder: string): Promise<Sha256> {
  const paths = (await listFiles(folder, "")).toSorted(compareUtf8);
  const files: { path: string; sha256: Sha256 }[] = [];
  for (let at = 0; at < paths.length; at += WIDTH) {
    // So many files at a time, not all.
    files.push(
      ...(await Promise.all(paths.slice(at, at + WIDTH).map((path) => digestFile(folder, path)))),
    );
  }
  return framedDigest("eve/package/1", files);
}

async function digestFile(folder: string, path: string): Promise<{ path: string; sha256: Sha256 }> {
  const bytes = await readRegularFile(join(folder, path)).catch((error: unknown) => {
    throw new MeasuringError("package.unreadable", `cannot read ${path} in ${folder}`, error);
  });
  if (bytes === undefined) throw notRegular(path, folder);
  return { path, sha256: sha256(bytes) };
}

async function listFiles(folder: string, prefix: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, prefix), {
    withFileTypes: true,
    encoding: "buffer",
  }).catch((error: unknown) => {
    throw new MeasuringError("package.unreadable", `cannot list ${folder}`, error);
  });
  const found: string[] = [];
  for (const entry of entries) {
    const path = `${prefix}${nameOf(entry.name, folder)}`;
    if (path === "node_modules") continue;
    // A package has few folders.
    if (entry.isDirectory()) found.push(...(await listFiles(folder, `${path}/`)));
    else if (entry.isFile()) found.push(path);
    else throw notRegular(path, folder);
  }
  return found;
}

function nameOf(bytes: Uint8Array, folder: string): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new MeasuringError(
      "package.path_invalid",
      `a file name in ${folder} is not UTF-8`,
      error,
    );
  }
}

function notRegular(path: string, folder: string): MeasuringError {
  return new MeasuringError(
    "package.entry_not_regular",
    `${path} in ${folder} is neither a regular file nor a folder`,
  );
}
