import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** Where a registry and the repository it speaks of lie. Both are absolute. */
export interface Workspace {
  /** Folder that holds registry.json, integrations/ and evidence/. */
  readonly registry: string;
  /** Folder that `source.path` of first-party entries starts from: the registry's parent unless named. */
  readonly root: string;
}

/** Finds the registry: the folder a person names, or the nearest `registry/registry.json` from `cwd` upwards. */
export function findWorkspace(
  cwd: string,
  named: { readonly registry?: string | undefined; readonly root?: string | undefined },
): Workspace {
  const registry = named.registry === undefined ? nearest(cwd) : resolve(cwd, named.registry);
  return {
    registry,
    root: named.root === undefined ? dirname(registry) : resolve(cwd, named.root),
  };
}

function nearest(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "registry", "registry.json"))) return join(folder, "registry");
    if (dirname(folder) === folder)
      throw new UsageError(
        `No registry/registry.json in ${cwd} or above it. Name the folder: --registry DIR.`,
      );
  }
}
