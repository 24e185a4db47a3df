import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@eve/canonical-json";
import {
  launchSurface,
  loadRegistry,
  makeTrialFolder,
  programOf,
  requireEntry,
  requireFirstParty,
  type Run,
} from "@eve/registry-cli";
import type { FirstPartyEntry, Registry } from "@eve/registry-schema";
import { observeStdioServer } from "@eve/mcp-guard";
import {
  GENERATED_REASON,
  localEntry,
  type Measured,
  withGeneratedEvidence,
} from "./local-entry.ts";
import { assembleLocal, type LocalRegistry, readLocal } from "./local-registry.ts";
import type { RunContext } from "./run-context.ts";
import { StepError } from "./step-error.ts";

/** The entry that this run makes local. */
export const WORKBENCH = "oshun-workbench";

/** A copy of the built workbench beside a registry of this run that admits it. */
export interface LocalWorkbench extends LocalRegistry {
  readonly entry: FirstPartyEntry;
  /** Absolute path of the copied program. */
  readonly program: string;
  readonly bytes: Uint8Array;
  /** What it shows in each protocol version, without a client. */
  readonly measured: readonly Measured[];
}

/** Copies the built workbench and generates a registry for it: the committed entry, its pins too, made local and dated now. */
export async function makeLocalWorkbench(context: RunContext): Promise<LocalWorkbench> {
  const committed = loadCommitted(context);
  requireBuild(context, committed.entry);
  const folder = join(context.folder, "workbench");
  mkdirSync(folder);
  const trial = makeTrialFolder(context.workspace, WORKBENCH, folder, context.now, {
    entry: (raw) => localEntry(raw, context.places.backend),
  });
  const entry = requireWorkbench(readLocal(trial.registry).registry);
  const measured = await measureSurfaces(entry, trial.registry, context);
  const generated = withGeneratedEvidence(runOf(WORKBENCH, context), trial.entry, measured);
  const sources = {
    manifest: committed.manifest,
    entries: [generated.entry],
    files: generated.files,
  };
  const local = await assembleLocal(
    sources,
    join(context.folder, "workbench-registry"),
    folder,
    context,
  );
  return {
    ...local,
    entry: requireWorkbench(local.registry),
    program: trial.program,
    bytes: readFileSync(trial.program),
    measured,
  };
}

/** What the evidence of this run has in common. */
export function runOf(integration: string, { now }: RunContext): Run {
  return {
    integration,
    now,
    command: ["npm", "start"],
    tools: { node: process.versions.node },
    reason: GENERATED_REASON,
  };
}

function loadCommitted({ workspace }: RunContext): {
  readonly manifest: JsonObject;
  readonly entry: FirstPartyEntry;
} {
  const loaded = loadRegistry(workspace.registry);
  if (!loaded.ok)
    throw new StepError(
      `The committed registry is refused: ${loaded.refusals[0].code} (${loaded.refusals[0].subject}).`,
    );
  return { manifest: loaded.sources.manifest, entry: requireWorkbench(loaded.assembled.registry) };
}

function requireWorkbench(registry: Registry): FirstPartyEntry {
  return requireFirstParty(requireEntry({ registry, bytes: new Uint8Array() }, WORKBENCH).entry);
}

function requireBuild({ workspace }: RunContext, entry: FirstPartyEntry): void {
  if (!existsSync(programOf(entry, workspace.root)))
    throw new StepError("The workbench is not built. Run npm run build.");
}

async function measureSurfaces(
  entry: FirstPartyEntry,
  registry: string,
  { workspace, env }: RunContext,
): Promise<readonly Measured[]> {
  const launch = launchSurface(entry, workspace.root, registry, env);
  const { clientCapabilities } = entry.surface.observedWith;
  const observed = await Promise.all(
    entry.protocol.versions.map((protocolVersion) =>
      observeStdioServer(launch, { integration: entry.id, protocolVersion, clientCapabilities }),
    ),
  );
  return observed.map((one) => {
    if (one.ok) return one;
    const [{ code, actual }] = one.refusals;
    throw new StepError(`The workbench's surface could not be measured: ${code} (${actual}).`);
  });
}
