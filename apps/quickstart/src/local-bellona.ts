import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@eve/canonical-json";
import { observeHttpServer } from "@eve/mcp-guard";
import {
  loadRegistry,
  observeFirstParty,
  requireEntry,
  requireFirstParty,
} from "@eve/registry-cli";
import type { FirstPartyEntry, Registry } from "@eve/registry-schema";
import type { Observation, Standing } from "@eve/trust-admission";
import { objectAt } from "./json-members.ts";
import { localEntry, type Measured, withGeneratedEvidence } from "./local-entry.ts";
import { assembleLocal } from "./local-registry.ts";
import { runOf } from "./local-workbench.ts";
import type { RunContext } from "./run-context.ts";
import { StepError } from "./step-error.ts";

/** The peer's entry. */
const BELLONA = "bellona-protected-http";

/** A registry of this run with the peer's entry, and the peer as it was measured. */
export interface LocalBellona {
  readonly registry: Registry;
  readonly entry: FirstPartyEntry;
  /** One a protocol version. */
  readonly observations: readonly Observation[];
}

/**
 * Measures the running Bellona over HTTP with a token, in every version of its committed entry, and generates a registry
 * of that entry, its pins too, at the address where it runs.
 */
export async function makeLocalBellona(
  url: string,
  token: string,
  context: RunContext,
): Promise<LocalBellona> {
  const loaded = loadRegistry(context.workspace.registry);
  if (!loaded.ok)
    throw new StepError(`The committed registry is refused: ${loaded.refusals[0].code}.`);
  const { entry, raw } = requireEntry(loaded.assembled, BELLONA);
  const committed = requireFirstParty(entry);
  const standing = observeFirstParty(committed, context.workspace.root);
  const measured = await measure(committed, url, token);
  const { entry: local, files } = withGeneratedEvidence(
    runOf(BELLONA, context),
    entryAt(url, raw, standing),
    measured,
  );
  const folder = join(context.folder, "bellona-admission");
  mkdirSync(folder);
  const { registry } = await assembleLocal(
    { manifest: loaded.sources.manifest, entries: [local], files },
    join(context.folder, "bellona-registry"),
    folder,
    context,
  );
  const { clientCapabilities } = committed.surface.observedWith;
  return {
    registry,
    entry: requireFirstParty(requireEntry({ registry, bytes: new Uint8Array() }, BELLONA).entry),
    observations: measured.map(({ surface }) => ({
      integration: BELLONA,
      source: standing.source,
      version: standing.version,
      transport: { how: "measured", value: { type: "streamable-http", url } },
      client: { capabilities: clientCapabilities },
      surface: { how: "measured", value: surface },
    })),
  };
}

/** The entry at this run's address, with the digests of the present build. */
function entryAt(url: string, raw: JsonObject, { source }: Standing): JsonObject {
  const { origin: _, ...digests } = source.value;
  return {
    ...localEntry(raw, new URL(url).origin),
    source: { ...objectAt(raw, "source"), ...digests },
    transport: { ...objectAt(raw, "transport"), url },
  };
}

async function measure(
  { id, protocol, surface }: FirstPartyEntry,
  url: string,
  token: string,
): Promise<readonly Measured[]> {
  const { clientCapabilities } = surface.observedWith;
  const server = { url, headers: { authorization: `Bearer ${token}` } };
  const observed = await Promise.all(
    protocol.versions.map((protocolVersion) =>
      observeHttpServer(server, { integration: id, protocolVersion, clientCapabilities }),
    ),
  );
  return observed.map((one) => {
    if (one.ok) return one;
    const [{ code, actual }] = one.refusals;
    throw new StepError(`Bellona's surface could not be measured: ${code} (${actual}).`);
  });
}
