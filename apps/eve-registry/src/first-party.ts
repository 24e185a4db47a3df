import { inheritedEnvironment, observeArtifact, type StdioLaunch } from "@eve/mcp-guard";
import type { FirstPartyEntry } from "@eve/registry-schema";
import { readBuiltSource } from "@eve/source-digest";
import type { Standing } from "@eve/trust-admission";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { objectOf, parseObject, textOf } from "./json-values.ts";
import { UsageError } from "./usage-error.ts";

/** What an app in this repository says of its own build, in the `eve` field of its package.json. */
export interface AppBuild {
  readonly version: string;
  /** Program that shows the surface alone, from the app's folder. */
  readonly surface: string;
  /** Folders, from the root, whose test suites are the evaluation. */
  readonly evaluation: readonly string[];
}

/** Reads an app's package.json. */
export function readAppBuild(root: string, path: string): AppBuild {
  const file = join(root, path, "package.json");
  const { version, eve } = parseObject(requireFile(path, () => readFileSync(file))) ?? {};
  const { surface, evaluation } = objectOf(eve);
  if (typeof version !== "string" || typeof surface !== "string" || !Array.isArray(evaluation))
    throw new UsageError(
      `${path}/package.json: expected a version and "eve": {"surface": FILE, "evaluation": [FOLDER…]}.`,
    );
  return { version, surface, evaluation: evaluation.map(textOf) };
}

/**
 * Measures what a first-party entry's program is made of: source, artifacts, version, and how it is launched. Throws
 * UsageError where there is no build.
 */
export function observeFirstParty(
  entry: FirstPartyEntry,
  root: string,
): Standing & { readonly staleBuild: readonly string[] } {
  const { source, transport } = entry;
  const built = requireFile(source.path, () => readBuiltSource(root, source.path));
  const artifacts = source.artifacts.map(({ path }) =>
    requireFile(source.path, () => observeArtifact(join(root, source.path, path), path)),
  );
  return {
    integration: entry.id,
    source: { how: "measured", value: { origin: "first-party", sha256: built.sha256, artifacts } },
    version: { how: "measured", value: readAppBuild(root, source.path).version },
    transport: { how: "measured", value: transport },
    staleBuild: built.changed,
  };
}

function requireFile<T>(app: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${app}: no build to measure (${why}). Run npm run build.`, { cause });
  }
}

/** Where a first-party stdio program lies: the first argument names it inside the first artifact's folder. */
export function programOf({ source, transport }: FirstPartyEntry, root: string): string {
  if (transport.type !== "stdio")
    throw new UsageError("Only stdio programs can be launched from here.");
  return join(root, source.path, dirname(source.artifacts[0]?.path ?? ""), transport.args[0] ?? "");
}

/** Launches a first-party program as its entry says, with the settings given and a clean copy of the caller's environment. */
export function launchProgram(
  entry: FirstPartyEntry,
  program: string,
  caller: NodeJS.ProcessEnv,
  settings: Readonly<Record<string, string>>,
): StdioLaunch {
  if (entry.transport.type !== "stdio")
    throw new UsageError("Only stdio programs can be launched from here.");
  const { command, args, env } = entry.transport;
  const known = Object.fromEntries(Object.entries(settings).filter(([name]) => env.includes(name)));
  return {
    command: command === "node" ? process.execPath : command,
    args: [basename(program), ...args.slice(1)],
    cwd: dirname(program),
    env: { ...inheritedEnvironment(caller, env), ...known },
  };
}

/** Launches the program that shows a first-party surface under a registry, without handlers or credential. */
export function launchSurface(
  entry: FirstPartyEntry,
  root: string,
  registry: string,
  caller: NodeJS.ProcessEnv,
): StdioLaunch {
  const { surface } = readAppBuild(root, entry.source.path);
  return {
    command: process.execPath,
    args: [join(root, entry.source.path, surface), registry],
    env: inheritedEnvironment(
      caller,
      entry.credentials.map(({ env }) => env),
    ),
  };
}
