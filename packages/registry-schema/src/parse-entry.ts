import type { JsonObject, JsonValue } from "@eve/canonical-json";
import type { z } from "zod";
import type { RefusalCode } from "./catalogue.ts";
import { type Entry, entryShape } from "./entry.ts";
import { brokenRelations, type Fault } from "./entry-relations.ts";
import { type Refusals, isRefused, refusal } from "./refusal.ts";

/** An entry that is complete, or why it is not: each refusal's subject is the path of the field. */
export type EntryResult =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly refusals: Refusals };

/**
 * Parses one entry. Answers `registry.field_missing`, `registry.field_invalid`, `registry.unknown_field`,
 * `registry.id_collision`, `entry.kind_unknown`, `entry.deployment_mismatch`, `lifecycle.unknown`, `source.path_invalid`,
 * those of `registry.` first.
 */
export function parseEntry(raw: JsonObject, integration: string): EntryResult {
  const parsed = entryShape.safeParse(raw);
  if (!parsed.success) return faulty(faultsOf(parsed.error.issues, raw), integration);
  const faults = brokenRelations(parsed.data);
  return faults.length === 0 ? { ok: true, entry: parsed.data } : faulty(faults, integration);
}

function faulty(faults: readonly Fault[], integration: string): EntryResult {
  const refusals = faults.map(({ code, path, expected, actual }) =>
    refusal(code, { integration, subject: path, expected, actual }),
  );
  if (!isRefused(refusals)) throw new TypeError("a refusal needs a cause");
  return { ok: false, refusals };
}

/** Faults of one entry that are told; who has mended these runs again. */
const MAX_FAULTS = 64;

/** The faults that a schema's issues tell, those of form first and in the order of the fields. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], raw: JsonValue): readonly Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    faults.push(...faultsOfIssue(issue, raw).slice(0, MAX_FAULTS));
    if (faults.length > MAX_FAULTS) break;
  }
  return faults.toSorted((a, b) => weight(a.code) - weight(b.code)).slice(0, MAX_FAULTS);
}

const weight = (code: RefusalCode): number => (code.startsWith("registry.") ? 0 : 1);

function faultsOfIssue(issue: z.core.$ZodIssue, raw: JsonValue): readonly Fault[] {
  const path = formatPath(issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      code: "registry.unknown_field",
      path: join(path, key),
      expected: "no such field",
      actual: "present",
    }));
  const value = valueAt(raw, issue.path);
  if (value === undefined)
    return [{ code: "registry.field_missing", path, expected: "a value", actual: "missing" }];
  return [
    {
      code: ownCode(issue) ?? "registry.field_invalid",
      path,
      expected: expectation(issue),
      actual: describe(value),
    },
  ];
}

function ownCode(issue: z.core.$ZodIssue): RefusalCode | undefined {
  if (issue.code === "custom") return (issue.params as { code?: RefusalCode } | undefined)?.code;
  if (issue.code !== "invalid_value") return undefined;
  return ENUM_CODES[String(issue.path.at(-1))];
}

/** zod keeps no params on an enum's issue, so the two enums with a code of their own are named by their field. */
const ENUM_CODES: Readonly<Record<string, RefusalCode>> = {
  kind: "entry.kind_unknown",
  state: "lifecycle.unknown",
};

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return issue.values.map(String).join(", ");
  return issue.message;
}

function valueAt(raw: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    const member: JsonValue | undefined = Reflect.get(value, key);
    return member;
  }, raw);
}

/** A short, printable account of a value from the registry file. */
function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const shown = JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escape);
  return shown.length > 120 ? `${shown.slice(0, 117)}…` : shown;
}

function escape(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : join(text, String(key))),
    "",
  );
}

function join(path: string, key: string): string {
  const shown = /^[A-Za-z0-9_.$-]{1,64}$/.test(key) ? key : "(unprintable)";
  return path === "" ? shown : `${path}.${shown}`;
}
