import type { JsonObject } from "@eve/canonical-json";
import {
  isRefused,
  isToolName,
  parseEntry,
  PROTOCOL_VERSIONS,
  type Refusal,
  refusal,
  type Refusals,
} from "@eve/registry-schema";
import { printableName, type TextException } from "@eve/trust-admission";
import { draftEntry } from "./draft-entry.ts";
import type { EvidenceFile, Run } from "./evidence-files.ts";
import type { SpawnOptions } from "./measure-entry.ts";
import {
  type MeasuredSurface,
  observeSurfaces,
  overStdio,
  unpinnable,
} from "./observe-surfaces.ts";
import { findPackage, launchPackage, observeThirdParty, programOfPackage } from "./third-party.ts";
import { UsageError } from "./usage-error.ts";

/** What a first measurement of a package needs to know. */
export interface DraftOptions extends SpawnOptions {
  readonly package: string;
  readonly bin: string | undefined;
  readonly args: readonly string[];
  /** Names of the environment variables it may see. */
  readonly env: readonly string[];
  readonly run: Run;
  readonly clientCapabilities: JsonObject;
  /** What a person allowed to hide in its texts; the draft says so. */
  readonly textExceptions: readonly TextException[];
}

/** A draft that parses and the evidence files it names, or why there is none. */
export type DraftResult =
  | { readonly ok: true; readonly entry: JsonObject; readonly files: readonly EvidenceFile[] }
  | { readonly ok: false; readonly refusals: Refusals };

/**
 * Measures a package that has no entry yet, in every protocol version it speaks, and drafts one: every tool of the
 * most severe class until somebody reviews it. Not started without `spawn`. Answers what an observation can answer,
 * and the codes of an entry that does not parse. Writes nothing.
 */
export async function measurePackage(
  options: DraftOptions,
  caller: NodeJS.ProcessEnv,
): Promise<DraftResult> {
  const { run, clientCapabilities, textExceptions } = options;
  const folder = findPackage(options.package, options.packages);
  const script = programOfPackage(folder, options.bin);
  const program = { folder, args: [script, ...options.args], env: options.env };
  if (!options.spawn)
    throw new UsageError(
      `Measuring runs this third party's program. Add --spawn to run: node ${program.args.join(" ")} in ${folder}`,
    );
  const { standing, installed } = await observeThirdParty(run.integration, program);
  if (installed.integrity === undefined)
    throw new UsageError(
      `Nothing recorded the integrity of ${options.package} in ${folder}: install it from a registry with npm or pnpm.`,
    );
  const { surfaces, refusals } = await everySurface(options, launchPackage(program, caller));
  if (isRefused(refusals)) return { ok: false, refusals };
  const draft = draftEntry({
    run,
    standing,
    surfaces,
    clientCapabilities,
    textExceptions,
    riskClass: "destructive",
  });
  const parsed = parseEntry(draft.entry, run.integration);
  return parsed.ok ? { ok: true, ...draft } : parsed;
}

type Observed = {
  readonly surfaces: readonly MeasuredSurface[];
  readonly refusals: readonly Refusal[];
};

/** The surface in each version that shows one, oldest version first; refusals only where none does, or one must not be pinned. */
async function everySurface(
  { run: { integration }, clientCapabilities, textExceptions }: DraftOptions,
  launch: ReturnType<typeof launchPackage>,
): Promise<Observed> {
  const surfaces: MeasuredSurface[] = [];
  const refusals: Refusal[] = [];
  for (const version of PROTOCOL_VERSIONS) {
    // One process a version, one after the other.
    const observed = await observeSurfaces(
      integration,
      overStdio(launch),
      [version],
      clientCapabilities,
    );
    if (observed.ok) surfaces.push(...observed.measured);
    else refusals.push(...observed.refusals);
  }
  const unfit = [
    ...surfaces.flatMap((measured) => unfitNames(integration, measured)),
    ...unpinnable(integration, surfaces, textExceptions),
  ];
  if (surfaces.length > 0) return { surfaces, refusals: unfit };
  return { surfaces, refusals: tellingFirst(refusals) };
}

/** That a server does not speak a version says the least of why there is no surface. Each cause once. */
function tellingFirst(refusals: readonly Refusal[]): readonly Refusal[] {
  const telling = refusals.filter(({ code }) => code !== "protocol.version_unadmitted");
  const shown = telling.length > 0 ? telling : refusals;
  return shown.filter((one, at) => shown.findIndex((other) => isSame(one, other)) === at);
}

function isSame(a: Refusal, b: Refusal): boolean {
  return a.code === b.code && a.subject === b.subject && a.actual === b.actual;
}

/** A name the contract cannot hold is told by its digest: it is text of a server nobody has reviewed. */
function unfitNames(integration: string, { surface }: MeasuredSurface): readonly Refusal[] {
  return surface.tools.flatMap(({ name }, at) =>
    typeof name === "string" && isToolName(name)
      ? []
      : [
          refusal("registry.field_invalid", {
            integration,
            subject: `tools[${at}].name in ${surface.protocolVersion}`,
            expected: "a tool name: A-Z, a-z, 0-9, _, . and -, at most 128",
            actual: printableName(name),
          }),
        ],
  );
}
