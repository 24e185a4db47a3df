import type { JsonObject, Sha256 } from "@eve/canonical-json";
import { z } from "zod";
import type { RefusalCode } from "./catalogue.ts";
import { type Instant, parseInstant } from "./instant.ts";
import {
  ID,
  isContainedPath,
  isDestination,
  isReadable,
  isRuntimeVariable,
  isToolName,
  isVisibleWord,
} from "./text.ts";
import { PROTOCOL_VERSIONS, RISK_CLASSES } from "./vocabulary.ts";

/** Marks a schema's failure with a refusal code of its own; without it a failure is `registry.field_invalid`. */
export function failsWith(
  code: RefusalCode,
  expected: string,
): { message: string; params: { code: RefusalCode } } {
  return { message: expected, params: { code } };
}

const DIGEST = /^[0-9a-f]{64}$/;

/** A string of bounded length. No pattern meets a longer one: a pattern that backtracks could take the stack or the day. */
const short = (max: number): z.ZodString =>
  z.string().max(max, { error: `at most ${max} characters`, abort: true });

export const id = short(64).regex(ID, "an id: a-z, 0-9 and -, at most 64, not beginning with -");
export const sha256 = short(64)
  .regex(DIGEST, "64 lower-case hexadecimal digits")
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form has just been checked
  .transform((text): Sha256 => text as Sha256);
export const instant = short(64)
  .refine(
    (text) => parseInstant(text) !== undefined,
    "a UTC instant YYYY-MM-DDTHH:MM:SS(.mmm)?Z on a real date",
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form has just been checked
  .transform((text): Instant => text as Instant);
export const text = short(500)
  .min(1)
  .refine(isReadable, "readable text without control or invisible characters");
export const version = short(64).regex(
  /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/,
  "a version such as 1.0.0",
);
export const containedPath = z
  .string()
  .refine(
    isContainedPath,
    failsWith("source.path_invalid", "a relative path with forward slashes and no . or .. parts"),
  );
export const destination = short(300).refine(
  isDestination,
  "an origin such as https://host, byte for byte; http only for literal loopback",
);
/** Where a server is reached. */
export const endpoint = short(2048).refine(
  (url) => URL.canParse(url) && new URL(url).href === url && !/[?#@]/.test(url),
  "a URL without query, fragment or credentials",
);
export const toolName = short(128).refine(
  isToolName,
  "a tool name: A-Z, a-z, 0-9, _, . and -, at most 128",
);
export const permission = short(128).regex(
  /^[a-z][a-z0-9-]*(:[a-z0-9-]+)+$/,
  "a permission such as workbench:read, no wildcard",
);
export const envName = short(128)
  .regex(/^[A-Z][A-Z0-9_]*$/, "an environment variable's name")
  .refine(
    (name) => !isRuntimeVariable(name),
    "a variable of the program's own, not one that steers how programs are loaded or reached",
  );
export const riskClass = z.enum(RISK_CLASSES);
export const protocolVersion = z.enum(PROTOCOL_VERSIONS);
/** A command-line word that a log or a diff shows whole. */
export const word = short(1024)
  .min(1)
  .refine(isVisibleWord, "a word that can be seen, without control or invisible characters");
export const packageName = short(214).regex(
  /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/,
  "an npm package name",
);
export const integrity = short(95).regex(
  /^sha512-[A-Za-z0-9+/]{86}==$/,
  "an npm integrity such as sha512-…==",
);
/** Values that a free JSON object may hold. */
const MAX_FREE_VALUES = 1000;
/** A JSON object of free content, such as client capabilities, small enough to compare at once. */
export const jsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    countValues(value) <= MAX_FREE_VALUES,
  `a JSON object of at most ${MAX_FREE_VALUES} values`,
);

/** How many values a value is made of, itself too. What comes from the strict parser nests 64 levels at most. */
function countValues(value: unknown): number {
  const children: readonly unknown[] =
    typeof value === "object" && value !== null ? Object.values(value) : [];
  return children.reduce((sum: number, child) => sum + countValues(child), 1);
}

/** Where a text of a surface stands: RFC 6901, tools and the like by their name. */
export const surfacePointer = short(1000).regex(
  /^\/(?:instructions|capabilities|tools|prompts|resources|resourceTemplates)(?:\/(?:[^/~]|~[01])*)*$/,
  "a pointer into a surface such as /tools/read_file/description",
);
/** A code point as Unicode writes it. */
export const codePoint = short(8).regex(
  /^U\+(?:[1-9A-F][0-9A-F]{4}|10[0-9A-F]{4}|[0-9A-F]{4})$/,
  "a code point such as U+200B",
);

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
