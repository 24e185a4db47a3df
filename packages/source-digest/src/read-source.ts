import { sha256 } from "@eve/canonical-json";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { z } from "zod";
import type { Lockfile } from "./lockfile.ts";
import {
  orderManifest,
  type LockedPackage,
  type SourceFile,
  type SourceManifest,
} from "./source-manifest.ts";

/** What a module graph is read from. */
export interface SourceTree {
  /** The repository's root. */
  readonly root: string;
  readonly lockfile: Lockfile;
  /** Absolute paths of every module of the bundle, bundled packages included. */
  readonly modules: readonly string[];
  /** Absolute paths of the files that configure the build. */
  readonly configuration: readonly string[];
  /** Folders, absolute, whose installed packages build the bundle. */
  readonly tools: readonly string[];
}

/** The manifest of a module graph: own modules and their package.json as files, everything under node_modules as lock entries. */
export function readSource({
  root,
  lockfile,
  modules,
  configuration,
  tools,
}: SourceTree): SourceManifest {
  const real = modules.map((module) => realpathSync(module));
  const own = real.filter((module) => !isInstalled(module));
  const files = new Set([
    ...own,
    ...own.map((module) => nearestPackageJson(module, root)),
    ...configuration.map((file) => realpathSync(file)),
  ]);
  const packages = [
    ...real.filter(isInstalled),
    ...tools.map((tool) => join(realpathSync(tool), "package.json")),
  ].map((module) => lockedPackage(module, lockfile));
  const distinct = new Map(packages.map((locked) => [`${locked.name}@${locked.version}`, locked]));
  return orderManifest({
    files: [...files].map((file) => hashFile(root, file)),
    packages: [...distinct.values()],
  });
}

/** Hashes a file; throws for one outside the root, which no clone would have. */
function hashFile(root: string, file: string): SourceFile {
  const path = relative(realpathSync(root), file).split(sep).join("/");
  if (path.startsWith("../")) throw new Error(`${path}: a source file lies outside the repository`);
  return { path, sha256: sha256(readFileSync(file)) };
}

function isInstalled(file: string): boolean {
  return file.split(sep).includes("node_modules");
}

function nearestPackageJson(file: string, root: string): string {
  for (let folder = dirname(file); folder.startsWith(realpathSync(root)); folder = dirname(folder))
    if (existsSync(join(folder, "package.json"))) return join(folder, "package.json");
  throw new Error(`${file}: lies outside the repository, or under no package.json`);
}

/** The lock entry of the package a module belongs to: the innermost folder under node_modules with a named package.json. */
function lockedPackage(module: string, lockfile: Lockfile): LockedPackage {
  const parts = module.split(sep);
  const at = parts.lastIndexOf("node_modules");
  const name = parts.slice(at + 1, at + (parts[at + 1]?.startsWith("@") ? 3 : 2));
  const file = join(parts.slice(0, at + 1).join(sep), ...name, "package.json");
  const { version } = z
    .looseObject({ version: z.string() })
    .parse(JSON.parse(readFileSync(file, "utf8")));
  return lockfile.locked(name.join("/"), version);
}
