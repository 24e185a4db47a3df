import type { JsonObject } from "@eve/canonical-json";
import { propertyRuns } from "@eve/config/property-runs";
import { parseEntry, parseInstant } from "@eve/registry-schema";
import { jsonSchemas } from "@eve/registry-schema/json-schema";
import {
  goodDocument,
  goodEntry,
  leavesOf,
  NOW,
  objectsOf,
  pathText,
  thirdPartyEntry,
  withValue,
} from "@eve/test-kit";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BROKEN_RELATIONS } from "./broken-relations.ts";
import { PATTERNS } from "../src/json-schema-patterns.ts";
import { ENTRY, refusalsOf } from "./kit.ts";
import { LEAF_VALUES } from "./leaf-values.ts";

const NAME = "eve.external-integration-registry.v1";

/** Holds a value against one of the schemas, as an editor does. */
function validator(file: string): ValidateFunction {
  return new Ajv2020({ strict: true, strictTypes: false }).compile(
    jsonSchemas().get(file) ?? false,
  );
}
const isEntry = validator(`${NAME}.entry.schema.json`);
const isManifest = validator(`${NAME}.manifest.schema.json`);
const isDocument = validator(`${NAME}.schema.json`);

const ENTRIES: readonly JsonObject[] = [
  ENTRY,
  goodEntry({ now: NOW, transport: "streamable-http" }),
  thirdPartyEntry({ now: NOW }),
  thirdPartyEntry({ now: NOW, transport: "streamable-http" }),
];

/**
 * What the contract refuses and no JSON Schema can, by code and place: relations between fields, and beside them how a
 * URL is written canonically (origins), the size of free content (clientCapabilities), and names that look alike.
 */
const BEYOND_JSON_SCHEMA: readonly string[] = [
  "entry.deployment_mismatch deployment",
  "registry.field_invalid configuration[].env",
  "registry.field_invalid credentials[].destinations",
  "registry.field_invalid credentials[].destinations[]",
  "registry.field_invalid credentials[].env",
  "registry.field_invalid credentials[].id",
  "registry.field_invalid credentials[].scopes",
  "registry.field_invalid destinations[].origin",
  "registry.field_invalid evaluation.evidence.path",
  "registry.field_invalid evaluation.expiresAt",
  "registry.field_invalid health.evidence.path",
  "registry.field_invalid health.expiresAt",
  "registry.field_invalid permissions",
  "registry.field_invalid review.evidence.path",
  "registry.field_invalid review.expiresAt",
  "registry.field_invalid riskClass",
  "registry.field_invalid source.artifacts[].path",
  "registry.field_invalid surface",
  "registry.field_invalid surface.observedWith.clientCapabilities",
  "registry.field_invalid tools[].name",
  "registry.field_invalid tools[].pins.definition",
  "registry.field_invalid transport.args[]",
  "registry.field_invalid transport.command",
  "registry.field_invalid transport.env",
  "registry.field_invalid transport.url",
  "registry.field_missing surface.*",
  "registry.field_missing tools[].pins.definition.*",
  "registry.id_collision tools[].name",
];

/** A path without positions and protocol versions: leaves that differ in these alone are judged alike. */
function placeOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[]").replaceAll(/\d{4}-\d\d-\d\d/g, "*");
}

/** Each of the entries with one change: each kind of leaf another value, each member gone, an unknown one put in. */
function* changedEntries(): Generator<JsonObject> {
  for (const entry of ENTRIES) {
    const leaves = new Map(
      leavesOf(entry)
        .toReversed()
        .map(({ path }) => [placeOf(pathText(path)), path]),
    );
    for (const path of leaves.values())
      for (const value of LEAF_VALUES) yield withValue(entry, path, value);
    for (const { path, value } of objectsOf(entry)) {
      yield withValue(entry, [...path, "trusted"], true);
      for (const key of Object.keys(value)) yield withValue(entry, [...path, key], undefined);
    }
  }
}

const MANY = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, n]));
const CORPUS: readonly JsonObject[] = [
  ...ENTRIES,
  ...BROKEN_RELATIONS.map(([, entry]) => entry),
  ...changedEntries(),
  withValue(ENTRY, ["surface", "observedWith", "clientCapabilities"], MANY),
];

describe("the JSON Schema of an entry's file", () => {
  it("agrees with the contract on a corpus of entries, but for what it cannot say", () => {
    const tally = { accepted: 0, refused: 0 };
    const beyond = new Set<string>();
    const tooStrict: JsonObject[] = [];
    for (const entry of CORPUS) {
      const result = parseEntry(entry, "notes");
      const isTaken = isEntry(entry);
      if (result.ok && !isTaken) tooStrict.push(entry);
      else if (isTaken === result.ok) tally[isTaken ? "accepted" : "refused"]++;
      else if (!result.ok)
        for (const { code, subject } of result.refusals) beyond.add(`${code} ${placeOf(subject)}`);
    }
    expect(tooStrict).toEqual([]);
    expect([...beyond].toSorted()).toEqual(BEYOND_JSON_SCHEMA.toSorted());
    expect(tally.accepted).toBeGreaterThan(500);
    expect(tally.refused).toBeGreaterThan(5000);
  });

  it.each([
    [`../schema/${NAME}.entry.schema.json`, true],
    [`schema/${NAME}.entry.schema.json`, false],
    ["https://schema.example/entry.json", false],
    ["", false],
    [null, false],
  ])(
    "lets an entry name its schema by the one relative path alone: %s, %s",
    (reference, isTaken) => {
      expect(isEntry({ $schema: reference, ...ENTRY })).toBe(isTaken);
    },
  );

  it("takes the instants that the contract takes, leap days too", () => {
    const pattern = new RegExp(PATTERNS.instant, "u");
    const agree = (text: string): void =>
      expect([text, pattern.test(text)]).toEqual([text, parseInstant(text) !== undefined]);
    for (let year = 1960; year < 10_000; year++) {
      agree(`${year}-02-29T00:00:00Z`);
      agree(`${year}-02-28T23:59:59.999Z`);
    }
    const two = fc.nat({ max: 61 }).map((n) => String(n).padStart(2, "0"));
    fc.assert(
      fc.property(fc.tuple(two, two, two, two, two), ([month, day, hour, minute, second]) => {
        agree(`2026-${month}-${day}T${hour}:${minute}:${second}Z`);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe("the JSON Schemas of the two documents", () => {
  const { value: document } = goodDocument({ entries: ENTRIES.slice(0, 1), gates: "met" });
  const { integrations, ...manifest } = document;

  it("take a good document, and the sources' part of it with or without the name of its schema", () => {
    expect([isDocument(document), isManifest(manifest)]).toEqual([true, true]);
    expect(isManifest({ $schema: `./schema/${NAME}.manifest.schema.json`, ...manifest })).toBe(
      true,
    );
    expect(isManifest({ $schema: `../schema/${NAME}.schema.json`, ...manifest })).toBe(false);
  });

  it("refuse an assembled document that names a schema, as the contract does: registry.unknown_field", () => {
    const named = { $schema: `./schema/${NAME}.schema.json`, ...document };
    expect(isDocument(named)).toBe(false);
    expect(refusalsOf(named)[0]?.code).toBe("registry.unknown_field");
  });

  it("agree with the contract on each leaf of the manifest", () => {
    const disagreed = leavesOf(manifest).flatMap(({ path }) =>
      [...LEAF_VALUES, undefined].flatMap((value) => {
        const changed = withValue(manifest, path, value);
        const isTaken = refusalsOf({ ...changed, integrations: integrations ?? [] }).length === 0;
        const verdicts = [isManifest(changed), isDocument({ ...changed, integrations })];
        return verdicts.every((verdict) => verdict === isTaken) ? [] : [[pathText(path), value]];
      }),
    );
    expect(disagreed).toEqual([]);
  });

  it("refuse an empty list of entries, as the contract does: registry.empty", () => {
    expect(isDocument({ ...manifest, integrations: [] })).toBe(false);
    expect(refusalsOf({ ...manifest, integrations: [] })[0]?.code).toBe("registry.empty");
  });
});
