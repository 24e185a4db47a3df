import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { parse } from "yaml";
import { ancestors } from "./resolve-package.ts";

/**
 * The integrity (`sha512-…`) that the installing package manager recorded for the package in `folder` (a real path):
 * npm's `node_modules/.package-lock.json` or pnpm's `node_modules/.pnpm/lock.yaml`, the nearest above it. Undefined
 * where neither records one, as for a workspace package or a folder that nothing installed.
 */
export async function recordedIntegrity(
  folder: string,
  nameAtVersion: string,
): Promise<string | undefined> {
  for (const above of ancestors(folder)) {
    const modules = join(above, "node_modules");
    // The nearest record wins.
    const found =
      (await fromNpm(modules, relative(above, folder))) ??
      (await fromPnpm(modules, nameAtVersion, folder));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function fromNpm(modules: string, path: string): Promise<string | undefined> {
  const text = await textOf(join(modules, ".package-lock.json"));
  if (text === undefined) return undefined;
  return integrityOf(
    member(member(parseOrNothing(JSON.parse, text), "packages"), path.split(sep).join("/")),
  );
}

async function fromPnpm(
  modules: string,
  nameAtVersion: string,
  folder: string,
): Promise<string | undefined> {
  const store = join(modules, ".pnpm");
  // The lock speaks of what pnpm installed, not of every folder of that name below it.
  if (!folder.startsWith(`${store}${sep}`)) return undefined;
  const text = await textOf(join(store, "lock.yaml"));
  if (text === undefined) return undefined;
  const entry = member(member(parseOrNothing(parse, text), "packages"), nameAtVersion);
  return integrityOf(member(entry, "resolution"));
}

function integrityOf(record: unknown): string | undefined {
  const integrity = member(record, "integrity");
  return typeof integrity === "string" ? integrity : undefined;
}

function member(value: unknown, name: string): unknown {
  return isTable(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function parseOrNothing(parser: (text: string) => unknown, text: string): unknown {
  try {
    return parser(text);
  } catch {
    return undefined;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}
