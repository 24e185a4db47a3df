import { framedDigest, type JsonObject } from "@eve/canonical-json";
import { listIn, objectIn, textIn } from "./json.ts";
import type { KitSurface } from "./surface.ts";

/*
 * The digests of docs/entry.md, written from its text and not from the packages under test.
 */

/** The pins of one raw tool that do not depend on the protocol version, and its definition. */
export function pinsOfTool(tool: JsonObject): {
  readonly inputSchema: string;
  readonly description: string;
  readonly definition: string;
} {
  return {
    inputSchema: framedDigest("eve/pin/1/inputSchema", tool["inputSchema"]),
    description: framedDigest("eve/pin/1/description", tool["description"]),
    definition: framedDigest("eve/pin/1/definition", tool),
  };
}

/** The pins of what a server shows beside its tools. */
export function pinsOfServer(surface: KitSurface): {
  readonly instructions: string;
  readonly capabilities: string;
  readonly prompts: string;
  readonly resources: string;
} {
  return {
    instructions: framedDigest("eve/pin/1/instructions", surface.instructions),
    capabilities: framedDigest("eve/pin/1/capabilities", surface.capabilities),
    prompts: framedDigest(
      "eve/pin/1/prompts",
      surface.prompts && digestsOfItems("eve/pin/1/prompts/item", surface.prompts),
    ),
    resources: framedDigest("eve/pin/1/resources", resourceDigests(surface)),
  };
}

/** `eve/surface/1`: the names and pins of the tools, sorted by name, and the entry's `surface`. */
export function surfaceDigest(entry: JsonObject): string {
  const tools = toolsOf(entry).map((tool) => ({
    name: textIn(tool["name"]),
    pins: tool["pins"] ?? null,
  }));
  tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return framedDigest("eve/surface/1", { tools, surface: entry["surface"] ?? null });
}

/** `eve/launch/1`: the transport, and a third party's source. */
export function launchOf(entry: JsonObject): string {
  const isThirdParty = entry["origin"] === "third-party";
  return framedDigest("eve/launch/1", {
    transport: entry["transport"] ?? null,
    ...(isThirdParty && { source: entry["source"] ?? null }),
  });
}

/** `eve/review-subject/1`: what an owner review decides. */
export function reviewSubjectOf(entry: JsonObject): string {
  const source = objectIn(entry["source"]);
  return framedDigest("eve/review-subject/1", {
    kind: entry["kind"] ?? null,
    origin: entry["origin"] ?? null,
    deployment: entry["deployment"] ?? null,
    owner: { team: objectIn(entry["owner"])["team"] ?? null },
    source: source["path"] === undefined ? {} : { path: source["path"] },
    riskClass: entry["riskClass"] ?? null,
    permissions: entry["permissions"] ?? null,
    credentials: entry["credentials"] ?? null,
    configuration: entry["configuration"] ?? null,
    destinations: entry["destinations"] ?? null,
    ...(entry["textExceptions"] !== undefined && { textExceptions: entry["textExceptions"] }),
    tools: toolsOf(entry).map((tool) => ({
      name: tool["name"] ?? null,
      riskClass: tool["riskClass"] ?? null,
      permissions: tool["permissions"] ?? null,
    })),
  });
}

/** `eve/entry/1`: the entry without lifecycle state and date, health, evaluation, and the review's dates and evidence. */
export function entryDigestOf(entry: JsonObject): string {
  const kept = Object.entries(entry).filter(
    ([key]) => !["lifecycle", "health", "evaluation", "review"].includes(key),
  );
  const review = objectIn(entry["review"]);
  return framedDigest("eve/entry/1", {
    ...Object.fromEntries(kept),
    lifecycle: { reason: objectIn(entry["lifecycle"])["reason"] ?? null },
    review: {
      basis: review["basis"] ?? null,
      reviewer: review["reviewer"] ?? null,
      subject: review["subject"] ?? null,
    },
  });
}

function toolsOf(entry: JsonObject): readonly JsonObject[] {
  return listIn(entry["tools"]).map(objectIn);
}

function resourceDigests({ resources, resourceTemplates }: KitSurface): JsonObject | undefined {
  if (!resources && !resourceTemplates) return undefined;
  const item = "eve/pin/1/resources/item";
  return {
    ...(resources ? { resources: digestsOfItems(item, resources) } : {}),
    ...(resourceTemplates ? { resourceTemplates: digestsOfItems(item, resourceTemplates) } : {}),
  };
}

function digestsOfItems(domain: string, items: readonly JsonObject[]): readonly string[] {
  return items.map((item) => String(framedDigest(domain, item))).toSorted();
}
