import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
} from "@eve/canonical-json";
import { member } from "../pins.ts";

/** How deep a part of structured content may sit that a text says on its own. */
const PART_DEPTH = 2;

/** Readers trim more than JSON does: a byte order mark and other blanks too. */
const BEGINS_AS_JSON = /^\s*[[{]/;

/**
 * Whether texts beside structured content say another thing than it: one reader shows the text, another takes the
 * structure. A text that is a JSON object or list agrees where it is the structured content, a part of it, some of its
 * members, or a text in it; JSON that two readers read apart never agrees. Any other text is prose, which is not judged.
 * Takes time in proportion to both, however many texts there are.
 */
export function textDisagrees(content: JsonValue | undefined, structured: JsonValue): boolean {
  const texts = jsonTextsIn(content);
  if (texts.length === 0) return false;
  const said = partsOf(structured);
  return texts.some((text) => !said.texts.has(text) && !agrees(text, said));
}

/** What structured content says, to be looked up. */
interface Parts {
  /** The canonical forms of it, of its values and of theirs. */
  readonly forms: ReadonlySet<string>;
  /** The texts among these. */
  readonly texts: ReadonlySet<string>;
  /** The canonical form of each of its own members. */
  readonly members: ReadonlyMap<string, string>;
}

function jsonTextsIn(content: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(content)) return [];
  return content.flatMap((block) => {
    const text = isJsonObject(block) && member(block, "type") === "text" && member(block, "text");
    return typeof text === "string" && BEGINS_AS_JSON.test(text) ? [text] : [];
  });
}

function partsOf(structured: JsonValue): Parts {
  const forms = new Set<string>();
  const texts = new Set<string>();
  const add = (value: JsonValue, depth: number): void => {
    if (typeof value === "string") texts.add(value);
    else if (isJsonArray(value) || isJsonObject(value)) forms.add(canonicalJson(value));
    if (depth > 0) for (const inner of valuesOf(value)) add(inner, depth - 1);
  };
  add(structured, PART_DEPTH);
  const own = isJsonObject(structured) ? Object.entries(structured) : [];
  return { forms, texts, members: new Map(own.map(([name, of]) => [name, canonicalJson(of)])) };
}

function agrees(text: string, { forms, members }: Parts): boolean {
  const parsed = parseJson(new TextEncoder().encode(text.trim()), { profile: "wire" });
  if (!parsed.ok) return parsed.fault.code === "unparseable";
  const { value } = parsed;
  if (forms.has(canonicalJson(value))) return true;
  const some = isJsonObject(value) ? Object.entries(value) : [];
  return some.length > 0 && some.every(([name, of]) => members.get(name) === canonicalJson(of));
}

function valuesOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}
