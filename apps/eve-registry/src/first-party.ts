import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
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
  /** Program that shows the surface alone, from the app's folder; stdio servers have one. */
  readonly surface: string | undefined;
  /** How it is run and called; servers that are reached by URL have it. */
  readonly protectedHttp: ProtectedHttp | undefined;
  /** Folders, from the root, whose test suites are the evaluation. */
  readonly evaluation: readonly string[];
}

/** How a program that serves protected Streamable HTTP is run on this machine, and a call that must work. */
export interface ProtectedHttp {
  /** Names of the variables that hold its own URL, its issuer's identifier and the file of the issuer's keys. */
  readonly environment: {
    readonly resource: string;
    readonly issuer: string;
    readonly keySet: string;
  };
  /** A tool of it, what it is called with, and the structured content it answers. */
  readonly call: {
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly answer: JsonObject;
  };
}

/** Reads an app's package.json. */
export function readAppBuild(root: string, path: string): AppBuild {
  const file = join(root, path, "package.json");
  const { version, eve } = parseObject(requireFile(path, () => readFileSync(file))) ?? {};
  const { surface, protectedHttp, evaluation } = objectOf(eve);
  const hasProgram = typeof surface === "string" || protectedHttp !== undefined;
  if (typeof version !== "string" || !hasProgram || !Array.isArray(evaluation))
    throw new UsageError(
      `${path}/package.json: expected a version and "eve": {"surface": FILE (or "protectedHttp": {…}), "evaluation": [FOLDER…]}.`,
    );
  return {
    version,
    surface: typeof surface === "string" ? surface : undefined,
    protectedHttp: protectedHttp === undefined ? undefined : protectedHttpOf(path, protectedHttp),
    evaluation: evaluation.map(textOf),
  };
}

function protectedHttpOf(path: string, stated: JsonValue): ProtectedHttp {
  const { environment, call } = objectOf(stated);
  const { resource, issuer, keySet } = objectOf(environment);
  const { tool, arguments: given, answer } = objectOf(call);
  const names = [resource, issuer, keySet, tool].map(textOf);
  if (names.includes("") || !isJsonObject(given) || !isJsonObject(answer))
    throw new UsageError(
      `${path}/package.json: expected "protectedHttp": {"environment": {"resource": NAME, "issuer": NAME, "keySet": NAME}, "call": {"tool": NAME, "arguments": {…}, "answer": {…}}}.`,
    );
  return {
    environment: {
      resource: textOf(resource),
      issuer: textOf(issuer),
      keySet: textOf(keySet),
    },
    call: { tool: textOf(tool), arguments: given, answer },
  };
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

/**
 * Where a first-party program lies: its first artifact; for a stdio server, the file of its first argument beside
 * that.
 */
export function programOf({ source, transport }: FirstPartyEntry, root: string): string {
  const artifact = join(root, source.path, source.artifacts[0]?.path ?? "");
  return transport.type === "stdio" ? join(dirname(artifact), transport.args[0] ?? "") : artifact;
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
  if (surface === undefined)
    throw new UsageError(
      `${entry.source.path}/package.json names no program that shows its surface: "eve": {"surface": FILE}.`,
    );
  return {
    command: process.execPath,
    args: [join(root, entry.source.path, surface), registry],
    env: inheritedEnvironment(
      caller,
      entry.credentials.map(({ env }) => env),
    ),
  };
}
