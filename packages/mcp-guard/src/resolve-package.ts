import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * The real folder of the package `name` that code in the folder `from` (a real path) loads: the nearest
 * `node_modules/<name>` from `from` upwards, as Node resolves it; undefined where none is installed.
 */
export async function resolvePackage(name: string, from: string): Promise<string | undefined> {
  for (const folder of ancestors(from)) {
    if (basename(folder) === "node_modules") continue;
    const candidate = join(folder, "node_modules", name);
    // The first one wins.
    if (await isFolder(candidate)) return realpath(candidate);
  }
  return undefined;
}

/** `folder` and every folder above it, the nearest first. */
export function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
