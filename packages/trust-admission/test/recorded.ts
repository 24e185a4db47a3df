import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "@eve/canonical-json";
import { runsAgainst, sharedFolder } from "@eve/config/shared-folder";
import type { Surface } from "../src/index.ts";

/** Where recorded surfaces of public servers are, if they are here. */
export const RECORDED: string = sharedFolder("fixtures", "surfaces");

/** The names of all recordings; none where the folder is missing and need not be there. */
export function recordings(): readonly string[] {
  return runsAgainst(RECORDED)
    ? readdirSync(RECORDED).filter((file) => /\.jsonl?$/.test(file) && !file.startsWith("README"))
    : [];
}

/** The surface of a recording: one JSON-RPC response a line, or one object with the opening result and the pages. */
export function recorded(file: string): Surface {
  const text = readFileSync(join(RECORDED, file), "utf8");
  const results = file.endsWith("l")
    ? text
        .split("\n")
        .filter(Boolean)
        .map(parse)
        .map((message) => objectOf(message["result"]))
    : Object.values(parse(text)).flat().map(objectOf);
  const of = (name: string): readonly JsonObject[] | undefined => {
    const lists = results.map((result) => result[name]).filter((list) => isJsonArray(list));
    return lists.length === 0 ? undefined : lists.flat().filter((item) => isJsonObject(item));
  };
  const opening = results.find(({ protocolVersion }) => typeof protocolVersion === "string") ?? {};
  const { protocolVersion, instructions, capabilities } = opening;
  return {
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : "",
    instructions,
    capabilities,
    tools: of("tools") ?? [],
    prompts: of("prompts"),
    resources: of("resources"),
    resourceTemplates: of("resourceTemplates"),
  };
}

function parse(text: string): JsonObject {
  const parsed = parseJson(Buffer.from(text));
  if (!parsed.ok) throw new TypeError(`no JSON: ${parsed.fault.code}`);
  return objectOf(parsed.value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
