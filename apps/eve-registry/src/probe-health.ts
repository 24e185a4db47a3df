import { randomBytes } from "node:crypto";
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { AssembledRegistry } from "@eve/registry/sources";
import {
  type FirstPartyEntry,
  isRefused,
  type Refusal,
  refusal,
  type Registry,
} from "@eve/registry-schema";
import { admit, judgeStanding, type Standing, type Surface } from "@eve/trust-admission";
import type { Check } from "./evidence-files.ts";
import { launchProgram, observeFirstParty, programOf } from "./first-party.ts";
import { type Observe, observeSurfaces, overStdio } from "./observe-surfaces.ts";
import { probeAccess } from "./probe-access.ts";
import { withServedProgram } from "./served-program.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";
import { writeFiles } from "./write-files.ts";

/** What a live run showed: one check a protocol version, and the refusals of those that failed. */
export interface Probe {
  readonly checks: readonly Check[];
  readonly refusals: readonly Refusal[];
  /** The surfaces that were not admitted, for people to compare: nothing is decided from them. */
  readonly refused: readonly Surface[];
}

/**
 * Runs a first-party program as built, in each protocol version, and holds what it serves against its entry: a stdio
 * program in a folder of its own with the registry given, one that is reached by URL at that URL, where its access
 * control is probed too. What stands against the entry before a client speaks is answered without a run: a program
 * with a gate would refuse to start, and say so to nobody.
 */
export async function probeHealth(
  entry: FirstPartyEntry,
  assembled: AssembledRegistry,
  root: string,
  caller: NodeJS.ProcessEnv,
  now: number,
): Promise<Probe> {
  const standing = observeFirstParty(entry, root);
  const before = judgeStanding(assembled.registry, standing, now);
  if (isRefused(before)) return { checks: [], refusals: before, refused: [] };
  const surfaces = (observe: Observe): Promise<Probe> =>
    probeSurfaces({ entry, standing, registry: assembled.registry, now }, observe);
  if (entry.transport.type !== "stdio")
    return withServedProgram(entry, root, caller, async (served) =>
      withChecks(await surfaces(served.observe), entry, await probeAccess(entry, served)),
    );
  return withTemporaryFolder((folder) => {
    const built = programOf(entry, root);
    const program = join(folder, basename(built));
    copyFileSync(built, program);
    writeFiles([{ path: join(folder, "registry.json"), bytes: assembled.bytes }]);
    const own = { ...caller, XDG_STATE_HOME: folder };
    return surfaces(overStdio(launchProgram(entry, program, own, settingsFor(entry))));
  });
}

interface Probed {
  readonly entry: FirstPartyEntry;
  readonly standing: Standing;
  readonly registry: Registry;
  /** Epoch ms. */
  readonly now: number;
}

/** One check a protocol version: every tool is served, and admitted as served. */
async function probeSurfaces(
  { entry, standing, registry, now }: Probed,
  observe: Observe,
): Promise<Probe> {
  const { clientCapabilities: capabilities } = entry.surface.observedWith;
  const probes = [];
  for (const version of entry.protocol.versions) {
    const observed = await observeSurfaces(entry.id, observe, [version], capabilities);
    const [measured] = observed.ok ? observed.measured : [];
    if (!measured) {
      const refusals = observed.ok ? [] : observed.refusals;
      probes.push({ version, refusals, tools: 0, refused: [] });
      continue;
    }
    const surface = { how: "measured" as const, value: measured.surface };
    const verdict = admit(registry, { ...standing, client: { capabilities }, surface }, now);
    probes.push({
      version,
      refusals: verdict.admitted ? [] : verdict.refusals,
      tools: measured.surface.tools.length,
      refused: verdict.admitted ? [] : [measured.surface],
    });
  }
  return {
    checks: probes.map(({ version, refusals, tools }) => ({
      title: `${tools} of ${entry.tools.length} tools served and admitted in ${version}`,
      passed: refusals.length === 0 && tools === entry.tools.length,
    })),
    refusals: probes.flatMap(({ refusals }) => refusals),
    refused: probes.flatMap(({ refused }) => refused),
  };
}

/** More checks of the same probe; each that failed stands against the entry. */
function withChecks(
  { checks, refusals, refused }: Probe,
  { id }: FirstPartyEntry,
  more: readonly Check[],
): Probe {
  const failed = more.filter(({ passed }) => !passed);
  return {
    checks: [...checks, ...more],
    refusals: [
      ...refusals,
      ...failed.map(({ title }) =>
        refusal("health.unhealthy", {
          integration: id,
          subject: "live probe",
          expected: title,
          actual: "otherwise",
        }),
      ),
    ],
    refused,
  };
}

/** Settings under which a program starts and lists: its own destination, and a random credential of the issued form. */
export function settingsFor({
  credentials,
  configuration,
  destinations,
  deployment,
}: FirstPartyEntry): Readonly<Record<string, string>> {
  const realm = deployment === "production" ? "live" : "local";
  const [destination] = destinations;
  return Object.fromEntries([
    ...credentials.map(({ env }) => [
      env,
      `eve_${realm}_agent_${randomBytes(32).toString("base64url")}`,
    ]),
    ...configuration.map(({ env }) => [env, destination?.origin ?? ""]),
  ]);
}
