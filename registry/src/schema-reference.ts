import type { JsonObject } from "@eve/canonical-json";
import { ENTRY_SCHEMA, MANIFEST_SCHEMA, type Refusal, refusal } from "@eve/registry-schema";

const KEY = "$schema";

/** What a source file holds beside the name of its JSON Schema, which serves editors and is no part of the contract. */
export type Unreferenced =
  | { readonly raw: JsonObject; readonly isReferring: boolean }
  | { readonly refusal: Refusal };

/** Takes `$schema` off a source file's object. Another value than the one of its kind of file: `registry.field_invalid`. */
export function withoutReference(file: string, raw: JsonObject): Unreferenced {
  const { [KEY]: reference, ...rest } = raw;
  if (reference === undefined) return { raw, isReferring: false };
  if (reference === referenceOf(file)) return { raw: rest, isReferring: true };
  return {
    refusal: refusal("registry.field_invalid", {
      subject: `${file}: ${KEY}`,
      expected: `${referenceOf(file)}, or no such field`,
      actual: "another value",
    }),
  };
}

/** The object of a source file with the name of its JSON Schema before all else. */
export function withReference(file: string, raw: JsonObject): JsonObject {
  return { [KEY]: referenceOf(file), ...raw };
}

function referenceOf(file: string): string {
  return (file.includes("/") ? ENTRY_SCHEMA : MANIFEST_SCHEMA).reference;
}
