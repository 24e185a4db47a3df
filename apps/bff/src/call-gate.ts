import {
  type JsonObject,
  type Sha256,
  framedDigest,
  isJsonArray,
  isJsonObject,
} from "@eve/canonical-json";
import { type EntryTool, type Registry, entryDigest, isPublishing } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import type { AppOptions } from "./app-options.ts";
import type { Caller, ItemDestination, JudgedRegistry } from "./database/database.ts";
import { type Result, fail, succeed } from "./failure.ts";
import { INTEGRATION } from "./identity.ts";
import { judgeRealm } from "./realm.ts";
import { reading } from "./service-error.ts";

/** One tool of the entry as it stands at this call. */
export interface AdmittedTool {
  readonly name: string;
  /** Whether it runs only with an operator's approval. */
  readonly publishes: boolean;
  readonly pins: JsonObject;
  readonly entryDigest: Sha256;
  readonly destinations: readonly ItemDestination[];
}

/**
 * Judges one call before its arguments are looked at (ADR-0092: a caller's combined tool-call admission repeats it).
 * In order: governance of the service's own registry at the database's time, that registry against the highest one
 * seen, the pinned tool, the credential's class, its scopes.
 */
export async function admitCall(
  options: AppOptions,
  caller: Caller,
  name: string,
): Promise<Result<AdmittedTool>> {
  if (caller.class === "operator") return fail("auth.realm_refused");
  const { database, environment } = options;
  const current = options.registry();
  if (!current.ok) return fail(current.refusals[0].code);
  const { registry } = current;
  const [now, remembered] = await reading(() =>
    Promise.all([
      database.now(),
      database.rememberRegistry(environment, registry.sequence, registry.sha256),
    ]),
  );
  const [refused] = judgeGovernance(registry, INTEGRATION, now);
  if (refused) return fail(refused.code);
  if (!remembered.ok) return fail(remembered.code);
  return admitUnder(registry, caller, name);
}

/**
 * The same for an execution whose time and registry the database judges as it executes: the tool, if nothing but these
 * two stands against the call, and what the database needs for it. `undefined`: go the whole way, which says why.
 */
export function admitAtOnce(
  options: AppOptions,
  caller: Caller,
  name: string,
): { readonly tool: AdmittedTool; readonly under: JudgedRegistry } | undefined {
  const current = options.registry();
  if (caller.class === "operator" || !current.ok || !judgeRealm(current, caller).ok)
    return undefined;
  const { registry } = current;
  const tool = admitUnder(registry, caller, name);
  if (!tool.ok) return undefined;
  const { environment } = options;
  const { sequence, sha256 } = registry;
  const isGoverned = (now: number): boolean =>
    judgeGovernance(registry, INTEGRATION, now).length === 0;
  return { tool: tool.value, under: { environment, sequence, sha256, isGoverned } };
}

/** The tool as a registry that admits the integration has it, if the caller may use it. */
function admitUnder(registry: Registry, caller: Caller, name: string): Result<AdmittedTool> {
  const record = registry.integrations.get(INTEGRATION);
  if (record?.status !== "complete") return fail("entry.absent");
  const tool = record.entry.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return fail("call.tool_unpinned");
  return (
    judgeCaller(caller, tool) ??
    succeed({
      name,
      publishes: isPublishing(tool.riskClass),
      pins: pinsIn(record.raw, name),
      entryDigest: boundEntryDigest(record.raw),
      destinations: record.entry.destinations,
    })
  );
}

/**
 * What an approval binds of the entry: the entry without its dates and statuses, and its lifecycle with the time it is
 * so since. What was asked before the entry was quarantined or revoked is not good after it is active again.
 */
function boundEntryDigest(raw: JsonObject): Sha256 {
  const lifecycle = raw["lifecycle"] ?? null;
  return framedDigest("eve/consent-entry/1", { entry: entryDigest(raw), lifecycle });
}

/** A shared credential reads; beyond that each needs all of the tool's permissions. */
function judgeCaller(caller: Caller, tool: EntryTool): ReturnType<typeof fail> | undefined {
  const mayUse = caller.class === "agent" || tool.riskClass === "read";
  const missing = tool.permissions.filter((permission) => !caller.scopes.includes(permission));
  return mayUse && missing.length === 0
    ? undefined
    : fail("auth.scope_insufficient", { scopes: tool.permissions });
}

/** The tool's pins as the entry writes them. */
function pinsIn(raw: JsonObject, name: string): JsonObject {
  const tools = isJsonArray(raw["tools"]) ? raw["tools"] : [];
  const tool = tools.filter((one) => isJsonObject(one)).find((one) => one["name"] === name);
  const pins = tool?.["pins"];
  if (!isJsonObject(pins)) throw new TypeError("an entry's tool has pins");
  return pins;
}
