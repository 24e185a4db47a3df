import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import type { PinnedTool } from "../admission.ts";
import { foldedName } from "./folded-names.ts";
import { schemaCheck, type SchemaCheck } from "./schema-check.ts";

/** Where the arguments of a call come from. */
export type CallArguments =
  /** The exact bytes of `params.arguments`, `{}` where a call has none: judged here. */
  | { readonly from: "wire"; readonly bytes: Uint8Array }
  /** The server's own handler, behind the strict schema that it serves: judged there. */
  | { readonly from: "own-schema" };

/** The arguments as one value that every reader reads alike, or why there is none, in words of ours. */
export type JudgedArguments =
  | { readonly ok: true; readonly value: JsonObject | undefined }
  | { readonly ok: false; readonly expected: string; readonly actual: string };

/** Most bytes of one call's arguments. */
export const MAX_ARGUMENT_BYTES: number = 1024 * 1024;

const JUDGED_THERE: JudgedArguments = Object.freeze({ ok: true, value: undefined });
const checks = new WeakMap<PinnedTool, SchemaCheck>();

/**
 * Judges a call's arguments against the pinned input schema: strict JSON (each name once, no `__proto__`, no number
 * that a double changes, no lone surrogate), an object, no name that a lax reader takes for a pinned one, and what
 * the schema says.
 */
export function judgeArguments(tool: PinnedTool, given: CallArguments): JudgedArguments {
  if (given.from === "own-schema") return JUDGED_THERE;
  if (given.from !== "wire") return no("arguments of a known source", "another source");
  const parsed = parseJson(given.bytes, {
    profile: "wire",
    limits: { maxBytes: MAX_ARGUMENT_BYTES },
  });
  if (!parsed.ok) return no("strict JSON", `${parsed.fault.code} at byte ${parsed.fault.offset}`);
  const { value } = parsed;
  if (!isJsonObject(value)) return no("an object", "another value");
  const schema = tool.definition["inputSchema"];
  if (!isJsonObject(schema)) return no("a pinned input schema", "none");
  if (foldedName(schema, value) !== undefined)
    return no("the schema's own names", "a name that some readers take for one of them");
  const mismatch = checkOf(tool, schema)(value);
  return mismatch === undefined
    ? { ok: true, value }
    : no("arguments that match the input schema", `a mismatch of ${mismatch.keyword}`);
}

function checkOf(tool: PinnedTool, schema: JsonObject): SchemaCheck {
  const known = checks.get(tool);
  if (known !== undefined) return known;
  const check = schemaCheck(schema);
  checks.set(tool, check);
  return check;
}

function no(expected: string, actual: string): JudgedArguments {
  return { ok: false, expected, actual };
}
