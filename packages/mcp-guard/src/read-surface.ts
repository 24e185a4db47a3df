import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import type { Surface } from "@eve/trust-admission";
import { memberOf } from "./json-rpc.ts";
import {
  completeResult,
  type Listed,
  LISTINGS,
  type Listing,
  listPages,
  type RawAnswer,
  type Walk,
} from "./list-pages.ts";
import { OBSERVATION_LIMITS, type ObservationLimits } from "./observation-limits.ts";
import { printableVersion, type Refused, refuserFor } from "./observation-refusal.ts";
import { eraOf, type ProtocolEra } from "./protocol-era.ts";
import { type Answer, METHOD_NOT_FOUND, type WireSession } from "./session.ts";

/** Which server to observe, how to ask it, and how much it may cost. */
export interface SurfaceRequest {
  /** The entry's id, for the refusals; `null` where there is none yet. */
  readonly integration: string | null;
  /** The one version to ask for; 2026-07-28 in the modern era, any other in the legacy one. */
  readonly protocolVersion: string;
  /** What the observer declares; a server may list more to a client that declares more. */
  readonly clientCapabilities: JsonObject;
  readonly limits?: Partial<ObservationLimits>;
}

/** Opens the session of one observation, on whatever transport. */
export type OpenSession = (terms: Omit<Walk, "session">) => WireSession;

/** A surface with the exact bytes it was read from, in the order they were asked, or why there is none. */
export type ObservedSurface =
  | { readonly ok: true; readonly surface: Surface; readonly raw: readonly RawAnswer[] }
  | Refused;

/**
 * Reads the whole surface of a server through a fresh session: opening, every page of tools/list, and of prompts and
 * resources where they are declared. A list that changes during the reading is read once more; a second change
 * refuses. The session is closed in the end. Never rejects: what throws is `surface.unavailable`.
 */
export async function observeThrough(
  request: SurfaceRequest,
  openSession: OpenSession,
): Promise<ObservedSurface> {
  const refuse = refuserFor(request.integration);
  let session: WireSession | undefined;
  try {
    const limits = { ...OBSERVATION_LIMITS, ...request.limits };
    const era = eraOf(request.protocolVersion, request.clientCapabilities);
    session = openSession({ era, limits, refuse });
    const walk = { session, era, limits, refuse };
    const opening = await openSurface(walk, request.protocolVersion);
    return opening.ok ? await listSurface(walk, request.protocolVersion, opening) : opening;
  } catch {
    return refuse("surface.unavailable", {
      subject: "connection",
      expected: "an answer",
      actual: "an internal error",
    });
  } finally {
    session?.close();
  }
}

/** What the opening answered, beside the version that was asked for. */
export interface Opening {
  readonly ok: true;
  readonly instructions: JsonValue | undefined;
  readonly capabilities: JsonValue | undefined;
  readonly raw: RawAnswer;
}

/** Reads all lists of an opened session, as {@link observeThrough} does; what opened it is part of the surface. */
export async function listSurface(
  walk: Walk,
  protocolVersion: string,
  opening: Opening,
): Promise<ObservedSurface> {
  const lists = await readLists(walk, opening.capabilities);
  if (!lists.ok) return lists;
  // What followed the last answer in the same bytes was read too.
  const failure = walk.session.failure();
  if (failure !== undefined) return failure;
  const { instructions, capabilities } = opening;
  const { tools, prompts, resources, resourceTemplates } = lists;
  const raw = [opening.raw, ...lists.raw];
  const size = raw.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > walk.limits.maxSurfaceBytes)
    return walk.refuse("surface.too_large", {
      subject: "surface",
      expected: `at most ${walk.limits.maxSurfaceBytes} bytes`,
      actual: "more",
    });
  return {
    ok: true,
    surface: {
      protocolVersion,
      instructions,
      capabilities,
      tools,
      prompts,
      resources,
      resourceTemplates,
    },
    raw,
  };
}

/** Opens a session in one version, or answers `protocol.version_unadmitted`, `surface.unavailable`. */
export async function openSurface(walk: Walk, asked: string): Promise<Opening | Refused> {
  const { session, era, refuse } = walk;
  const answer = await session.ask(era.opening, era.openingParams);
  if (isVersionError(answer, era.opening)) {
    return refuse("protocol.version_unadmitted", {
      subject: era.opening,
      expected: asked,
      actual: "the server does not speak it",
    });
  }
  const complete = completeResult(answer, era.opening, era, refuse);
  if (!complete.ok) return complete;
  const { result, line } = complete;
  const negotiated = settledVersion(result, asked, era);
  if (negotiated !== asked) {
    return refuse("protocol.version_unadmitted", {
      subject: era.opening,
      expected: asked,
      actual: negotiated,
    });
  }
  if (era.opened !== undefined) session.notify(era.opened);
  return {
    ok: true,
    instructions: memberOf(result, "instructions"),
    capabilities: memberOf(result, "capabilities"),
    raw: { method: era.opening, bytes: line },
  };
}

/** -32022 in the modern era; a server of the other era does not know the method; the legacy spec's own example is -32602 naming versions. */
function isVersionError(answer: Answer, opening: string): boolean {
  if (answer.kind !== "error") return false;
  if (answer.code === -32022 || (answer.code === METHOD_NOT_FOUND && opening === "server/discover"))
    return true;
  return isJsonObject(answer.data) && Array.isArray(memberOf(answer.data, "supported"));
}

/** `asked` if the server's opening settled on it; else what it settled on, fit to be shown. */
function settledVersion(result: JsonObject, asked: string, era: ProtocolEra): string {
  const settled = memberOf(result, era.settles);
  if (settled === asked && era.settles === "protocolVersion") return asked;
  if (Array.isArray(settled) && era.settles === "supportedVersions") {
    return settled.includes(asked) ? asked : `${settled.length} other versions`;
  }
  return typeof settled === "string" ? printableVersion(settled) : "no version";
}

interface Lists extends Pick<Surface, "tools" | "prompts" | "resources" | "resourceTemplates"> {
  readonly ok: true;
  readonly raw: readonly RawAnswer[];
}

/** Reads all lists; once more if one changed meanwhile, since its pages may be of two states. */
async function readLists(
  walk: Walk,
  capabilities: JsonValue | undefined,
): Promise<Lists | Refused> {
  walk.session.watchChanges();
  const first = await readListsOnce(walk, capabilities);
  if (!walk.session.hasChanged()) return first;
  walk.session.watchChanges();
  const second = await readListsOnce(walk, capabilities);
  if (!second.ok || !walk.session.hasChanged()) return second;
  return walk.refuse("surface.unavailable", {
    subject: "tools/list",
    expected: "a list that holds still",
    actual: "changed twice while it was read",
  });
}

async function readListsOnce(
  walk: Walk,
  capabilities: JsonValue | undefined,
): Promise<Lists | Refused> {
  const { refuse } = walk;
  const tools = await listPages(walk, LISTINGS.tools);
  if (!tools.ok) return tools;
  if (tools.items === undefined)
    return refuse("surface.unavailable", {
      subject: "tools/list",
      expected: "an answer",
      actual: `error ${METHOD_NOT_FOUND}`,
    });
  if (tools.items.length === 0)
    return refuse("surface.empty", {
      subject: "tools/list",
      expected: "at least one tool",
      actual: "0 tools",
    });
  const prompts = await listIfDeclared(walk, capabilities, "prompts", LISTINGS.prompts);
  if (!prompts.ok) return prompts;
  const resources = await listIfDeclared(walk, capabilities, "resources", LISTINGS.resources);
  if (!resources.ok) return resources;
  const templates = await listIfDeclared(
    walk,
    capabilities,
    "resources",
    LISTINGS.resourceTemplates,
  );
  if (!templates.ok) return templates;
  return {
    ok: true,
    tools: tools.items,
    prompts: prompts.items,
    resources: resources.items,
    resourceTemplates: templates.items,
    raw: [tools, prompts, resources, templates].flatMap((list) => list.raw),
  };
}

/** Real servers declare resources and answer -32601 to their lists: such a list is absent, which is not the same as empty. */
async function listIfDeclared(
  walk: Walk,
  capabilities: JsonValue | undefined,
  capability: string,
  listing: Listing,
): Promise<Listed> {
  const isDeclared = isJsonObject(capabilities) && Object.hasOwn(capabilities, capability);
  return isDeclared ? listPages(walk, listing) : { ok: true, items: undefined, raw: [] };
}
