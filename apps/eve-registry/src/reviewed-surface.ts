import { isJsonArray, isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import type { Entry, ProtocolVersion } from "@eve/registry-schema";
import { type Surface, surfacePins } from "@eve/trust-admission";
import { dirname, join } from "node:path";
import { objectOf } from "./json-values.ts";
import { UsageError } from "./usage-error.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const PARTS = ["instructions", "capabilities", "prompts", "resources"] as const;

/**
 * The surface that an owner review kept as evidence, for people to compare with: the pins decide, this text does not.
 * Throws UsageError where there is none to read, or where it is not the one that the entry pins: nothing is compared
 * with what nobody reviewed.
 */
export function readReviewedSurface(
  folder: string,
  entry: Entry,
  protocolVersion: ProtocolVersion,
): Surface {
  const path = `${dirname(entry.review.evidence.path)}/surface-${protocolVersion}.jsonl`;
  const file = readRegularFileSync(join(folder, path), {
    maxBytes: MAX_BYTES,
    followsLinks: false,
  });
  if ("fault" in file)
    throw new UsageError(`${path}: ${file.fault}. The review kept no surface to compare with.`);
  const lines = Buffer.from(file.bytes).toString("utf8").split("\n").filter(Boolean);
  const surface = surfaceOf(
    lines.map((line, at) => resultIn(line, `${path}:${at + 1}`)),
    protocolVersion,
  );
  if (!isPinnedBy(entry, surface, protocolVersion))
    throw new UsageError(
      `${path}: not the surface that ${entry.id} pins. Restore both from the commit of the review.`,
    );
  return surface;
}

function isPinnedBy(entry: Entry, surface: Surface, version: ProtocolVersion): boolean {
  const { tools, ...server } = surfacePins(surface);
  const pinned = entry.surface[version];
  return (
    tools.length === entry.tools.length &&
    tools.every(({ name, pins }) => {
      const reviewed = entry.tools.find((tool) => tool.name === name)?.pins;
      return (
        reviewed?.inputSchema === pins.inputSchema &&
        reviewed.description === pins.description &&
        reviewed.definition[version] === pins.definition
      );
    }) &&
    PARTS.every((part) => pinned?.[part] === server[part])
  );
}

/** Joins the results of a server's answers, each of one JSON-RPC response. */
function surfaceOf(results: readonly JsonObject[], protocolVersion: string): Surface {
  const { instructions, capabilities } = results.find((one) => "capabilities" in one) ?? {};
  const listed = (name: string): readonly JsonObject[] | undefined => {
    const pages = results.map((result) => result[name]).filter((page) => isJsonArray(page));
    return pages.length === 0 ? undefined : pages.flat().filter((item) => isJsonObject(item));
  };
  return {
    protocolVersion,
    instructions,
    capabilities,
    tools: listed("tools") ?? [],
    prompts: listed("prompts"),
    resources: listed("resources"),
    resourceTemplates: listed("resourceTemplates"),
  };
}

function resultIn(line: string, place: string): JsonObject {
  const parsed = parseJson(Buffer.from(line));
  if (!parsed.ok) throw new UsageError(`${place}: no strict JSON (${parsed.fault.code}).`);
  return objectOf(objectOf(parsed.value)["result"]);
}
