import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "@eve/canonical-json";
import { type Refusals, refusal } from "@eve/registry-schema";
import { type Admission, isAdmission, pinnedTool, type PinnedTool } from "../admission.ts";
import { internalError } from "../ladder.ts";
import { member } from "../pins.ts";
import { leadsAway, type ResultLinks } from "./result-links.ts";
import { textDisagrees } from "./result-text.ts";
import { schemaCheck, type SchemaCheck } from "./schema-check.ts";

/** A result that may be handed on, or why not. */
export type ResultVerdict =
  | {
      readonly ok: true;
      /** `input_required` (MCP 2026-07-28): the server asks for more before it answers. */
      readonly kind: "complete" | "input_required";
      readonly result: JsonObject;
    }
  | { readonly ok: false; readonly refusals: Refusals };

/** Most bytes of one result. */
export const MAX_RESULT_BYTES: number = 8 * 1024 * 1024;

/** Where a link may lead while nobody said where: nowhere. */
const NOWHERE: ResultLinks = { origins: new Set(), schemes: new Set() };

const checks = new WeakMap<PinnedTool, SchemaCheck>();

/**
 * Judges the result of one `tools/call` from its raw bytes (the value of `result`): strict JSON, the form of a tool's
 * result, links and embedded resources of `links` alone, and, unless `isError` is true, structured content that matches
 * the pinned `outputSchema` and that no text beside it contradicts. Pure and total. Answers `call.result_invalid`,
 * `call.tool_unpinned`, `admission.forged`. What a result says is not judged otherwise.
 */
export function judgeResult(
  admission: Admission,
  tool: string,
  bytes: Uint8Array,
  links: ResultLinks = NOWHERE,
): ResultVerdict {
  try {
    const parsed = parseJson(bytes, { profile: "wire", limits: { maxBytes: MAX_RESULT_BYTES } });
    return parsed.ok
      ? judge(admission, tool, parsed.value, links)
      : invalid(admission, "strict JSON", `${parsed.fault.code} at byte ${parsed.fault.offset}`);
  } catch (error) {
    return { ok: false, refusals: [internalError(null, "judgeResult", error)] };
  }
}

/** As {@link judgeResult}, for a value that `parseJson` has read strictly from a whole message. */
export function judgeParsedResult(
  admission: Admission,
  tool: string,
  result: JsonValue,
  links: ResultLinks = NOWHERE,
): ResultVerdict {
  try {
    return judge(admission, tool, result, links);
  } catch (error) {
    return { ok: false, refusals: [internalError(null, "judgeResult", error)] };
  }
}

function judge(
  admission: Admission,
  name: string,
  result: JsonValue,
  links: ResultLinks,
): ResultVerdict {
  const tool = pinnedTool(admission, name);
  if (tool === undefined) return unpinned(admission);
  if (!isJsonObject(result)) return invalid(admission, "an object", "another value", tool);
  const kind = kindOf(admission, result);
  if (kind === undefined)
    return invalid(admission, "a known resultType", "another resultType", tool);
  // It asks for input and says nothing of the outcome yet: there is no content to check.
  if (kind === "input_required") return { ok: true, kind, result };
  const why = faultOf(admission, tool, result, links);
  return why === undefined ? { ok: true, kind, result } : invalid(admission, why[0], why[1], tool);
}

/** MCP 2026-07-28, basic: absent is complete, unknown is invalid. Before it there was no such member. */
function kindOf(
  { protocolVersion }: Admission,
  result: JsonObject,
): "complete" | "input_required" | undefined {
  const said = member(result, "resultType");
  if (said === undefined || said === "complete") return "complete";
  return said === "input_required" && isModern(protocolVersion) ? said : undefined;
}

function faultOf(
  { protocolVersion }: Admission,
  tool: PinnedTool,
  result: JsonObject,
  links: ResultLinks,
): readonly [expected: string, actual: string] | undefined {
  const content = member(result, "content");
  const structured = member(result, "structuredContent");
  const isError = member(result, "isError");
  if (isError !== undefined && typeof isError !== "boolean")
    return ["isError that is true or false", "another value"];
  if (content === undefined ? structured === undefined : !isContent(content))
    return ["a list of content blocks", "no such list"];
  if (structured !== undefined && !isModern(protocolVersion) && !isJsonObject(structured))
    return ["structured content that is an object", "another value"];
  if (leadsAway(content, links))
    return ["links to a declared destination, or of a reviewed scheme", "another link"];
  if (isError === true) return undefined;
  if (structured !== undefined && textDisagrees(content, structured))
    return ["a text that says what the structured content says", "another text"];
  const schema = member(tool.definition, "outputSchema");
  if (schema === undefined) return undefined;
  if (structured === undefined) return ["structured content of the output schema", "none"];
  const mismatch = checkOf(tool, schema)(structured);
  return mismatch && ["a match with the output schema", `a mismatch of ${mismatch.keyword}`];
}

/** A block of an unknown type may come from a later version; one without a type is none. */
function isContent(value: JsonValue): boolean {
  return (
    isJsonArray(value) &&
    value.every((block) => isJsonObject(block) && typeof member(block, "type") === "string")
  );
}

function isModern(protocolVersion: string): boolean {
  return protocolVersion >= "2026-07-28";
}

function checkOf(tool: PinnedTool, schema: JsonValue): SchemaCheck {
  const known = checks.get(tool);
  if (known !== undefined) return known;
  const check = schemaCheck(schema);
  checks.set(tool, check);
  return check;
}

function unpinned(admission: Admission): ResultVerdict {
  const code = isAdmission(admission) ? "call.tool_unpinned" : "admission.forged";
  const place = { subject: "tool", expected: "an admitted tool", actual: "another one" };
  return { ok: false, refusals: [refusal(code, place)] };
}

function invalid(
  { integration }: Admission,
  expected: string,
  actual: string,
  tool?: PinnedTool,
): ResultVerdict {
  const subject = tool === undefined ? "result" : `tools.${tool.entry.name}.result`;
  const place = { integration, subject, expected, actual };
  return { ok: false, refusals: [refusal("call.result_invalid", place)] };
}
