import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import { observeStdioServer, type StdioLaunch } from "@eve/mcp-guard";
import {
  formatJson,
  launchPackage,
  loadRegistry,
  measurePackage,
  observeThirdParty,
  ownManifest,
  programOfEntry,
  requireEntry,
} from "@eve/registry-cli";
import {
  assembleDocument,
  parseRegistry,
  type Registry,
  type ThirdPartyEntry,
} from "@eve/registry-schema";
import { admit, type Observation } from "@eve/trust-admission";
import { provoked, requireFirst } from "../expect-refusal.ts";
import { GENERATED_REASON } from "../local-entry.ts";
import { assembleLocal } from "../local-registry.ts";
import { runOf } from "../local-workbench.ts";
import type { RunContext } from "../run-context.ts";
import type { Step } from "../step.ts";
import { StepError } from "../step-error.ts";
import type { Admitted } from "./admit-workbench.ts";
import { textAt } from "../json-members.ts";

const PACKAGE = "@modelcontextprotocol/server-everything";
const ID = "server-everything";

/** What a client declares that can do all a server may ask for. */
const EVERY_CAPABILITY: JsonObject = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: {},
};

/**
 * The step of a real third-party server: admitted as measured, refused as soon as it shows more, and by Eve's own
 * registry anyway. Its first measurement begins now; how that ends is told by the step.
 */
export function thirdPartyStep(context: RunContext): Step<Admitted> {
  const measuring = Promise.allSettled([measureDraft(context)]);
  return {
    id: "third-party",
    doing: `Measuring a real third-party server (${ID})`,
    run: async () => {
      const [measured] = await measuring;
      if (measured.status === "rejected") throw measured.reason;
      const draft = measured.value;
      const { registry, entry } = await ownRegistry(draft, context);
      const { bare, full } = await observe(entry, context);
      requireAdmitted(registry, bare, context.now);
      requireFirst(refusalsOf(registry, full, context.now), "surface.tool_set_drift");
      requireFirst(
        refusalsOf(eveRegistryWith(draft.entry, context), bare, context.now),
        "gates.unmet",
      );
      const added = addedTools(entry, full);
      return {
        headline: `Admitted: ${ID} with the ${entry.tools.length} tools that were measured, by a registry of its own`,
        refusals: [
          provoked(
            "surface.tool_set_drift",
            `to a client that declares every capability it shows ${added} more tools`,
          ),
          provoked("gates.unmet", "by Eve's own registry, whatever it shows"),
        ],
      };
    },
  };
}

type Draft = Extract<Awaited<ReturnType<typeof measurePackage>>, { readonly ok: true }>;

async function measureDraft(context: RunContext): Promise<Draft> {
  const options = {
    package: PACKAGE,
    bin: undefined,
    args: ["stdio"],
    env: [],
    spawn: true,
    packages: context.packages,
    clientCapabilities: {},
    textExceptions: [],
  };
  const draft = await measurePackage({ ...options, run: runOf(ID, context) }, context.env);
  if (draft.ok) return draft;
  const [{ code, actual }] = draft.refusals;
  throw new StepError(`expected a surface; found ${code} (${actual})`);
}

/** A registry with this one entry; a note of this run stands for its dependency gates, and says that it does. */
async function ownRegistry(
  draft: Draft,
  context: RunContext,
): Promise<{ readonly registry: Registry; readonly entry: ThirdPartyEntry }> {
  const bytes = formatJson({ note: `${GENERATED_REASON}: no dependency gate was met` });
  const note = { path: "evidence/gates/note.json", bytes, sha256: sha256(bytes) };
  const sources = {
    manifest: ownManifest(context.now, note),
    entries: [draft.entry],
    files: [note, ...draft.files],
  };
  const folder = join(context.folder, "third-party");
  mkdirSync(folder);
  const { registry } = await assembleLocal(
    sources,
    join(context.folder, "third-party-registry"),
    folder,
    context,
  );
  const { entry } = requireEntry({ registry, bytes: new Uint8Array() }, ID);
  if (entry.origin !== "third-party")
    throw new StepError("expected a third party's entry; found a first party's");
  return { registry, entry };
}

/** Observes the installed package, and its running server as a client that declares `{}` and one that declares all see it. */
async function observe(
  entry: ThirdPartyEntry,
  { packages, env }: RunContext,
): Promise<{ readonly bare: Observation; readonly full: Observation }> {
  const program = programOfEntry(entry, packages);
  const launch = launchPackage(program, env);
  const [{ standing }, bare, full] = await Promise.all([
    observeThirdParty(entry.id, program),
    observeAs({}, entry, launch),
    observeAs(EVERY_CAPABILITY, entry, launch),
  ]);
  return { bare: { ...standing, ...bare }, full: { ...standing, ...full } };
}

async function observeAs(
  capabilities: JsonObject,
  { id, protocol }: ThirdPartyEntry,
  launch: StdioLaunch,
): Promise<Pick<Observation, "client" | "surface">> {
  const [protocolVersion = ""] = protocol.versions;
  const observed = await observeStdioServer(launch, {
    integration: id,
    protocolVersion,
    clientCapabilities: capabilities,
  });
  if (observed.ok)
    return { client: { capabilities }, surface: { how: "measured", value: observed.surface } };
  const [{ code, actual }] = observed.refusals;
  throw new StepError(`expected a surface; found ${code} (${actual})`);
}

/** Eve's own registry, its gates as committed, as if the entry had been added to it. */
function eveRegistryWith(entry: JsonObject, { workspace }: RunContext): Registry {
  const loaded = loadRegistry(workspace.registry);
  const { manifest, entries } = loaded.ok ? loaded.sources : { manifest: {}, entries: [] };
  const parsed = parseRegistry(
    formatJson(assembleDocument(manifest, [...entries.map(({ raw }) => raw), entry])),
  );
  if (!parsed.ok)
    throw new StepError(`expected Eve's registry to parse; found ${parsed.refusals[0].code}`);
  return parsed.registry;
}

function refusalsOf(
  registry: Registry,
  observation: Observation,
  now: number,
): Parameters<typeof requireFirst>[0] {
  const verdict = admit(registry, observation, now);
  return verdict.admitted ? [] : verdict.refusals;
}

function requireAdmitted(registry: Registry, observation: Observation, now: number): void {
  const [first] = refusalsOf(registry, observation, now);
  if (first) throw new StepError(`expected an admission; found ${first.code} (${first.subject})`);
}

function addedTools(entry: ThirdPartyEntry, { surface }: Observation): number {
  const reviewed = new Set(entry.tools.map(({ name }) => name));
  return surface.value.tools.filter((tool) => !reviewed.has(textAt(tool, "name"))).length;
}
