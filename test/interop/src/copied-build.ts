import { execFile } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "@eve/canonical-json";
import { inheritedEnvironment } from "@eve/mcp-guard";
import { objectsAt, parseObject, textAt } from "./json.ts";
import { ROOT } from "./repository.ts";

const run = promisify(execFile);

/**
 * Copies the sources that git tracks or would track into `folder`, with the installed packages, bundles the program of
 * a package there (its path from the root), and answers its bytes.
 */
export async function buildInCopy(
  folder: string,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const listed = await run(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const files = listed.stdout
    .split("\0")
    .filter((file) => file !== "" && isThere(join(ROOT, file)));
  for (const file of files) copy(file, folder);
  const manifests = files.filter((file) => file.endsWith("/package.json"));
  for (const app of manifests.map(dirname)) copyLinks(join(app, "node_modules"), folder);
  installInto(folder, path);
  const app = join(folder, path);
  const tsdown = join(app, "node_modules/tsdown/dist/run.mjs");
  await run(process.execPath, ["--conditions=@eve/source", tsdown], {
    cwd: app,
    env: { ...inheritedEnvironment(process.env), ...env },
  });
  return readFileSync(join(app, "dist/main.js"));
}

/** Copies each package that is bundled in, for a bundle may tell where it was; links the store's others. */
function installInto(folder: string, app: string): void {
  const store = "node_modules/.pnpm";
  mkdirSync(join(folder, store), { recursive: true });
  const manifest = readFileSync(join(ROOT, app, "build/source-manifest.json"), "utf8");
  const bundled = objectsAt(parseObject(manifest), "packages").map(storeName);
  for (const name of readdirSync(join(ROOT, store))) {
    const [from, to] = [join(ROOT, store, name), join(folder, store, name)];
    const isBundled = bundled.some((prefix) => name === prefix || name.startsWith(`${prefix}_`));
    if (isBundled) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
}

/** How pnpm's store calls a package; peers follow after `_`. */
function storeName(locked: JsonObject): string {
  return `${textAt(locked, "name").replace("/", "+")}@${textAt(locked, "version")}`;
}

function copy(path: string, folder: string): void {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(ROOT, path), to);
}

/** A package's links lead to the root's packages and to its neighbours, both by relative paths. */
function copyLinks(path: string, folder: string): void {
  const from = join(ROOT, path);
  if (!isThere(from)) return;
  cpSync(from, join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: isInstalled,
  });
}

/** Not what tools leave beside the packages. */
function isInstalled(file: string): boolean {
  return !/\.(vite|vite-temp|bin|cache)/.test(file);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
