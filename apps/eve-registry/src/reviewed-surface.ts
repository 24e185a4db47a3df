import { isJsonArray, isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import type { Surface } from "@eve/trust-admission";
import { dirname, join } from "node:path";
import { objectOf } from "./json-values.ts";
import { UsageError } from "./usage-error.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The surface that an owner review kept as evidence, for people to compare with: the pins decide, this text does not.
 * `reportPath` is the review's report, from the registry's folder. Throws UsageError where there is none to read.
 */
export function readReviewedSurface(
  folder: string,
  reportPath: string,
  protocolVersion: string,
): Surface {
  const path = `${dirname(reportPath)}/surface-${protocolVersion}.jsonl`;
  const file = readRegularFileSync(join(folder, path), {
    maxBytes: MAX_BYTES,
    followsLinks: false,
  });
  if ("fault" in file)
    throw new UsageError(`${path}: ${file.fault}. The review kept no surface to compare with.`);
  const lines = Buffer.from(file.bytes).toString("utf8").split("\n").filter(Boolean);
  return surfaceOf(
    lines.map((line, at) => resultIn(line, `${path}:${at + 1}`)),
    protocolVersion,
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
