import { join } from "node:path";
import { MeasuringError } from "./measuring-error.ts";
import { readRegularFile } from "./regular-file.ts";

/** What a package.json says about its package and what it needs. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** Names that must be installed. */
  readonly required: readonly string[];
  /** Names that count if they are installed: optional and peer dependencies. */
  readonly ifInstalled: readonly string[];
}

/** No path and no `..`: a name is joined to a folder. */
const NAME = /^(?:@[A-Za-z0-9._~-]+\/)?[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;

/** Reads the package.json of a folder as Node does (the last duplicate key wins). Rejects with `package.manifest_invalid`. */
export async function readManifest(folder: string): Promise<PackageManifest> {
  const json = await readJson(folder);
  const { name, version } = json;
  if (
    typeof name !== "string" ||
    !NAME.test(name) ||
    typeof version !== "string" ||
    version === ""
  ) {
    throw invalid(folder, "has no name or no version");
  }
  const optional = namesIn(json, "optionalDependencies", folder);
  const ifInstalled = [...new Set([...optional, ...namesIn(json, "peerDependencies", folder)])];
  // npm lists an optional dependency under both names; it stays optional.
  const required = namesIn(json, "dependencies", folder).filter(
    (dependency) => !optional.includes(dependency),
  );
  return { name, version, required, ifInstalled };
}

type Json = {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly [key: string]: unknown;
};

async function readJson(folder: string): Promise<Json> {
  try {
    const bytes = await readRegularFile(join(folder, "package.json"));
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(json)) return json;
  } catch (error) {
    throw invalid(folder, "cannot be read", error);
  }
  throw invalid(folder, "is no object");
}

function namesIn(json: Json, field: string, folder: string): readonly string[] {
  const table = json[field] ?? {};
  // Some old packages write an empty list.
  if (Array.isArray(table) && table.length === 0) return [];
  if (!isObject(table)) throw invalid(folder, `has ${field} that are no object`);
  const names = Object.keys(table);
  if (names.every((name) => NAME.test(name))) return names;
  throw invalid(folder, `names a dependency that is no package name`);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(folder: string, why: string, cause?: unknown): MeasuringError {
  return new MeasuringError(
    "package.manifest_invalid",
    `the package.json of ${folder} ${why}`,
    cause,
  );
}
