import type { JsonObject } from "@eve/canonical-json";

/** Orders objects by a text member, by UTF-16 code units; one without it comes first. */
export function byText(key: string): (a: JsonObject, b: JsonObject) => number {
  const textOf = (object: JsonObject): string =>
    typeof object[key] === "string" ? object[key] : "";
  return (a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b)));
}
