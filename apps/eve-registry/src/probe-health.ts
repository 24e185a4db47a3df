import { randomBytes } from "node:crypto";
import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { AssembledRegistry } from "@eve/registry/sources";
import { type FirstPartyEntry, isRefused, type Refusal } from "@eve/registry-schema";
import { admit, judgeStanding } from "@eve/trust-admission";
import type { Check } from "./evidence-files.ts";
import { launchProgram, observeFirstParty, programOf } from "./first-party.ts";
import { observeSurfaces } from "./observe-surfaces.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";
import { writeFiles } from "./write-files.ts";

/** What a live run showed: one check a protocol version, and the refusals of those that failed. */
export interface Probe {
  readonly checks: readonly Check[];
  readonly refusals: readonly Refusal[];
}

/**
 * Runs a first-party program as built, in a folder of its own with the registry given, in each protocol version, and
 * holds what it serves against its entry. What stands against the entry before a client speaks is answered without a
 * run: the program itself would refuse to start, and say so to nobody. The credential it gets has the right form and was never issued.
 */
export async function probeHealth(
  entry: FirstPartyEntry,
  { bytes, registry }: AssembledRegistry,
  root: string,
  caller: NodeJS.ProcessEnv,
  now: number,
): Promise<Probe> {
  const standing = observeFirstParty(entry, root);
  const before = judgeStanding(registry, standing, now);
  if (isRefused(before)) return { checks: [], refusals: before };
  return withTemporaryFolder(async (folder) => {
    const built = programOf(entry, root);
    const program = join(folder, basename(built));
    copyFileSync(built, program);
    writeFiles([{ path: join(folder, "registry.json"), bytes }]);
    const launch = launchProgram(
      entry,
      program,
      { ...caller, XDG_STATE_HOME: folder },
      settingsFor(entry),
    );
    const probes = [];
    for (const version of entry.protocol.versions) {
      const observed = await observeSurfaces(
        entry.id,
        launch,
        [version],
        entry.surface.observedWith.clientCapabilities,
      );
      const [measured] = observed.ok ? observed.measured : [];
      if (!measured) {
        probes.push({ version, refusals: observed.ok ? [] : observed.refusals, tools: 0 });
        continue;
      }
      const verdict = admit(
        registry,
        {
          ...standing,
          client: { capabilities: entry.surface.observedWith.clientCapabilities },
          surface: { how: "measured", value: measured.surface },
        },
        now,
      );
      probes.push({
        version,
        refusals: verdict.admitted ? [] : verdict.refusals,
        tools: measured.surface.tools.length,
      });
    }
    return {
      checks: probes.map(({ version, refusals, tools }) => ({
        title: `${tools} of ${entry.tools.length} tools served and admitted in ${version}`,
        passed: refusals.length === 0 && tools === entry.tools.length,
      })),
      refusals: probes.flatMap(({ refusals }) => refusals),
    };
  });
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
