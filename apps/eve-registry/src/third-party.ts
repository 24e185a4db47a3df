import type { JsonObject, JsonValue } from "@eve/canonical-json";
import {
  type InstalledPackage,
  memberOf,
  observeInstalledPackage,
  type StdioLaunch,
} from "@eve/mcp-guard";
import { isRuntimeVariable, type ThirdPartyEntry } from "@eve/registry-schema";
import type { Standing, TransportObservation } from "@eve/trust-admission";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { objectOf, textOf } from "./json-values.ts";
import { UsageError } from "./usage-error.ts";

/** How a third party's installed program is started: `args[0]` is the script's path inside the package's folder. */
export interface PackageProgram {
  /** Folder of the installed package. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Names of the environment variables it may see. */
  readonly env: readonly string[];
}

/** The folder of an installed package, as Node finds it from `from` upwards. */
export function findPackage(name: string, from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (dirname(folder) === folder)
      throw new UsageError(
        `${name} is not installed in ${from} or above it. Install it, or name the folder that holds its node_modules: --packages DIR.`,
      );
  }
}

/** The script a package installs under a command's name, relative to its folder; the only one where none is named. */
export function programOfPackage(folder: string, bin?: string): string {
  // As Node reads it: a package manager has accepted this file, and nobody decides on it.
  const manifest: JsonObject = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const name = textOf(manifest["name"]);
  const table = commandsOf(name, manifest["bin"]);
  const [only, ...others] = Object.values(table);
  const sole = others.length === 0 ? only : undefined;
  const script = bin === undefined ? sole : memberOf(table, bin);
  if (typeof script !== "string")
    throw new UsageError(
      `${name} installs ${Object.keys(table).join(", ") || "no command"}. Name one: --bin NAME.`,
    );
  return script.replace(/^\.\//, "");
}

/** Command name → script; one script without a name goes by the package's. */
function commandsOf(name: string, bin: JsonValue | undefined): JsonObject {
  return typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : objectOf(bin);
}

/** Launches an installed program: Node itself by its full path, no shell, and only the variables named. */
export function launchPackage(
  { folder, args, env }: PackageProgram,
  caller: NodeJS.ProcessEnv,
): StdioLaunch {
  const [script = "", ...rest] = args;
  const seen = env
    .filter((name) => !isRuntimeVariable(name))
    .flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]] as const]));
  return {
    command: process.execPath,
    args: [join(folder, script), ...rest],
    cwd: folder,
    env: Object.fromEntries(seen),
  };
}

/** Measures an installed package and how it is launched. The integrity is what the package manager recorded. */
export async function observeThirdParty(
  integration: string,
  program: PackageProgram,
): Promise<{ readonly standing: Standing; readonly installed: InstalledPackage }> {
  const installed = await observeInstalledPackage(program.folder);
  const { name, version, integrity, sha256 } = installed;
  const transport: TransportObservation = {
    type: "stdio",
    command: "node",
    args: program.args,
    env: program.env,
  };
  return {
    installed,
    standing: {
      integration,
      source: {
        how: "measured",
        value: {
          origin: "third-party",
          package: name,
          integrity: integrity ?? "unrecorded",
          sha256,
        },
      },
      version: { how: "measured", value: version },
      transport: { how: "measured", value: transport },
    },
  };
}

/** The program of a third party's entry as installed under a folder. */
export function programOfEntry(entry: ThirdPartyEntry, packages: string): PackageProgram {
  if (entry.transport.type !== "stdio" || entry.transport.command !== "node")
    throw new UsageError(
      `${entry.id}: only stdio programs that node runs can be launched from here.`,
    );
  return {
    folder: findPackage(entry.source.package, packages),
    args: entry.transport.args,
    env: entry.transport.env,
  };
}
