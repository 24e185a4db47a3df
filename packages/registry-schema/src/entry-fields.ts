import type { JsonObject, Sha256 } from "@eve/canonical-json";
import { z } from "zod";
import type { RefusalCode } from "./catalogue.ts";
import { type Instant, parseInstant } from "./instant.ts";
import { ID, isContainedPath, isDestination, isReadable, isToolName } from "./text.ts";
import { PROTOCOL_VERSIONS, RISK_CLASSES } from "./vocabulary.ts";

/** Marks a schema's failure with a refusal code of its own; without it a failure is `registry.field_invalid`. */
export function failsWith(
  code: RefusalCode,
  expected: string,
): { message: string; params: { code: RefusalCode } } {
  return { message: expected, params: { code } };
}

const DIGEST = /^[0-9a-f]{64}$/;

export const id = z.string().regex(ID, "an id: a-z, 0-9 and -, at most 64, not beginning with -");
export const sha256 = z
  .string()
  .regex(DIGEST, "64 lower-case hexadecimal digits")
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form has just been checked
  .transform((text): Sha256 => text as Sha256);
export const instant = z
  .string()
  .refine(
    (text) => parseInstant(text) !== undefined,
    "a UTC instant YYYY-MM-DDTHH:MM:SS(.mmm)?Z on a real date",
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form has just been checked
  .transform((text): Instant => text as Instant);
export const text = z
  .string()
  .min(1)
  .max(500)
  .refine(isReadable, "readable text without control or invisible characters");
export const version = z
  .string()
  .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "a version such as 1.0.0");
export const containedPath = z
  .string()
  .refine(
    isContainedPath,
    failsWith("source.path_invalid", "a relative path with forward slashes and no . or .. parts"),
  );
export const destination = z
  .string()
  .refine(
    isDestination,
    "an origin such as https://host, byte for byte; http only for literal loopback",
  );
export const toolName = z
  .string()
  .refine(isToolName, "a tool name: A-Z, a-z, 0-9, _, . and -, at most 128");
export const permission = z
  .string()
  .regex(/^[a-z][a-z0-9-]*(:[a-z0-9-]+)+$/, "a permission such as workbench:read, no wildcard");
export const envName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,127}$/, "an environment variable's name");
export const riskClass = z.enum(RISK_CLASSES);
export const protocolVersion = z.enum(PROTOCOL_VERSIONS);
/** A command-line word: no control characters, so that a log or a diff shows it whole. */
export const word = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "a word without control characters");
export const packageName = z
  .string()
  .regex(/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/, "an npm package name");
export const integrity = z
  .string()
  .regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "an npm integrity such as sha512-…==");
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** A non-empty list without repetition. */
export function distinct<T extends z.ZodType>(item: T, min = 1, max = 256): z.ZodArray<T> {
  return z
    .array(item)
    .min(min)
    .max(max)
    .refine(
      (list) => new Set(list.map((value) => JSON.stringify(value))).size === list.length,
      "each value once",
    );
}
