import { canonicalJson, type JsonValue } from "@eve/canonical-json";

/** Whether PostgreSQL can store a text as it is: well-formed Unicode without NUL. */
export function isStorable(...texts: readonly string[]): boolean {
  return texts.every((text) => text.isWellFormed() && !text.includes("\u0000"));
}

/** The canonical text of a value; `undefined` where JSON or PostgreSQL cannot carry it. */
export function storableJson(value: JsonValue): string | undefined {
  try {
    const text = canonicalJson(value);
    // The only way a canonical text has NUL in a string or a name.
    return /(?<!\\)(?:\\\\)*\\u0000/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
