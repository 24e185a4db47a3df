import type { JsonObject } from "@eve/canonical-json";
import {
  type Entry,
  type FirstPartyEntry,
  isRefused,
  type Refusals,
  type ThirdPartyEntry,
} from "@eve/registry-schema";
import type { Standing } from "@eve/trust-admission";
import { join } from "node:path";
import type { LoadedRegistry } from "./entry-file.ts";
import { launchSurface, observeFirstParty } from "./first-party.ts";
import {
  type MeasuredSurface,
  type Observe,
  observeSurfaces,
  overStdio,
  unpinnable,
} from "./observe-surfaces.ts";
import { pinSurfaces } from "./pinned-entry.ts";
import { withServedProgram } from "./served-program.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";
import { launchPackage, observeThirdParty, programOfEntry } from "./third-party.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";
import { objectOf, objectsOf } from "./json-values.ts";
import { writeFiles } from "./write-files.ts";

/** Whether, and from where, a third party's program may be started. */
export interface SpawnOptions {
  /** A third party's program is started only where a person said so. */
  readonly spawn: boolean;
  /** Folder whose node_modules holds third parties' packages; absolute. */
  readonly packages: string;
}

/** A measurement in the form of an entry's members `source`, `tools` and `surface`, and the surfaces it rests on. */
export type Measurement =
  | {
      readonly ok: true;
      readonly members: JsonObject;
      readonly surfaces: readonly MeasuredSurface[];
    }
  | { readonly ok: false; readonly refusals: Refusals };

/** What an entry's server is and shows now, before any of it is pinned. */
export type ObservedEntry =
  | {
      readonly ok: true;
      readonly standing: Standing;
      readonly measured: readonly MeasuredSurface[];
    }
  | { readonly ok: false; readonly refusals: Refusals };

/** Measures an entry of either origin. A build older than its source, or a third party without `spawn`: UsageError. */
export async function measureEntry(
  workspace: Workspace,
  loaded: LoadedRegistry & { ok: true },
  entry: Entry,
  raw: JsonObject,
  options: SpawnOptions,
  caller: NodeJS.ProcessEnv,
): Promise<Measurement> {
  const observed = await observeEntry(workspace, loaded, entry, options, caller);
  if (!observed.ok) return observed;
  const refusals = unpinnable(entry.id, observed.measured, entry.textExceptions ?? []);
  if (isRefused(refusals)) return { ok: false, refusals };
  return measurementOf(entry, raw, observed.standing, observed.measured);
}

/** Observes an entry of either origin, as {@link measureEntry} does, whatever its tools are now. */
export async function observeEntry(
  { root }: Workspace,
  loaded: LoadedRegistry & { ok: true },
  entry: Entry,
  options: SpawnOptions,
  caller: NodeJS.ProcessEnv,
): Promise<ObservedEntry> {
  return entry.origin === "first-party"
    ? observeOwn(root, loaded, entry, caller)
    : observeInstalled(entry, options, caller);
}

async function observeOwn(
  root: string,
  loaded: LoadedRegistry & { ok: true },
  entry: FirstPartyEntry,
  caller: NodeJS.ProcessEnv,
): Promise<ObservedEntry> {
  const standing = observeFirstParty(entry, root);
  if (standing.staleBuild.length > 0)
    throw new UsageError(
      `The build is older than its source (${someOf(standing.staleBuild)}). Run npm run build.`,
    );
  const observed = await withSurface(root, loaded, entry, caller, (observe) =>
    observeSurfaces(
      entry.id,
      observe,
      entry.protocol.versions,
      entry.surface.observedWith.clientCapabilities,
    ),
  );
  return observed.ok ? { ...observed, standing } : observed;
}

/** A stdio server's surface is shown by a program without handlers; one that is reached by URL is run as built. */
async function withSurface<T>(
  root: string,
  loaded: LoadedRegistry & { ok: true },
  entry: FirstPartyEntry,
  caller: NodeJS.ProcessEnv,
  use: (observe: Observe) => Promise<T>,
): Promise<T> {
  if (entry.transport.type !== "stdio")
    return withServedProgram(entry, root, caller, ({ observe }) => use(observe));
  return withTemporaryFolder((folder) => {
    const registry = join(folder, "registry.json");
    writeFiles([{ path: registry, bytes: loaded.assembled.bytes }]);
    return use(overStdio(launchSurface(entry, root, registry, caller)));
  });
}

async function observeInstalled(
  entry: ThirdPartyEntry,
  { spawn, packages }: SpawnOptions,
  caller: NodeJS.ProcessEnv,
): Promise<ObservedEntry> {
  const program = programOfEntry(entry, packages);
  if (!spawn)
    throw new UsageError(
      `${entry.id} is a third party's program: measuring runs it. Add --spawn to run: node ${program.args.join(" ")} in ${program.folder}`,
    );
  const { standing } = await observeThirdParty(entry.id, program);
  const { clientCapabilities } = entry.surface.observedWith;
  const launch = launchPackage(program, caller);
  const observed = await observeSurfaces(
    entry.id,
    overStdio(launch),
    entry.protocol.versions,
    clientCapabilities,
  );
  return observed.ok ? { ...observed, standing } : observed;
}

function measurementOf(
  entry: Entry,
  raw: JsonObject,
  standing: Standing,
  measured: readonly MeasuredSurface[],
): Measurement {
  const { origin: _, ...source } = { ...standing.source.value, version: standing.version.value };
  const { tools, surface } = pinSurfaces(
    objectsOf(raw["tools"]),
    entry.surface.observedWith.clientCapabilities,
    measured.map((one) => one.surface),
  );
  return {
    ok: true,
    surfaces: measured,
    members: {
      source: { ...objectOf(raw["source"]), ...source },
      tools,
      surface,
    },
  };
}

function someOf(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return `${paths.slice(0, 5).join(", ")}${more}`;
}
