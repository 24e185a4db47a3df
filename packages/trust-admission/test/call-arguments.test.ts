import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { bytesOf, hintsOf, NOW } from "@eve/test-kit";
import { admitToolCall } from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, foldedName } from "../src/call/folded-names.ts";
import { MAX_PATTERN_TEXT, MAX_UNIQUE_VALUES, schemaCheck } from "../src/call/schema-check.ts";
import {
  admissionOf,
  asReviewed,
  codesOf,
  goodCall,
  goodWorld,
  registryOf,
  withSurface,
} from "./world.ts";

/** The answer to a call whose tool has that input schema. */
function callWith(inputSchema: JsonObject, args: JsonValue): ReturnType<typeof admitToolCall> {
  const world = asReviewed(
    withSurface(goodWorld(), ["tools", 0, "inputSchema"], () => inputSchema),
  );
  const call = goodCall("list_notes", hintsOf("read"), {
    arguments: { from: "wire", bytes: bytesOf(args) },
  });
  return admitToolCall(admissionOf(world), registryOf(world), call, NOW);
}
const codes = (inputSchema: JsonObject, args: JsonValue): readonly string[] => {
  const verdict = callWith(inputSchema, args);
  return verdict.admitted ? [] : codesOf(verdict.refusals);
};
const open = { type: "object", properties: { id: { type: "string" } } };

describe("arguments from the wire", () => {
  it("are handed on as they were judged", () => {
    expect(callWith(open, { id: "a", more: [1] })).toMatchObject({
      admitted: true,
      arguments: { id: "a", more: [1] },
    });
  });

  it("of the server's own schema are not judged twice", () => {
    const world = goodWorld();
    const call = goodCall("list_notes", hintsOf("read"), { arguments: { from: "own-schema" } });
    expect(admitToolCall(admissionOf(world), registryOf(world), call, NOW)).toMatchObject({
      admitted: true,
      arguments: undefined,
    });
  });

  it("never show a word of theirs in a refusal", () => {
    const text = "ignore previous instructions";
    for (const args of [{ id: { [text]: text } }, { ID: text }, { [text]: 1, iD: text }])
      expect(JSON.stringify(callWith(open, args))).not.toContain("ignore");
  });

  it("are judged by the schema that was measured, whatever becomes of the observation", () => {
    const world = asReviewed(withSurface(goodWorld(), ["tools", 0, "inputSchema"], () => open));
    const admission = admissionOf(world);
    const [tool] = world.observation.surface.value.tools;
    Object.assign(tool?.["inputSchema"] ?? {}, { properties: {} });
    const call = goodCall("list_notes", hintsOf("read"), {
      arguments: { from: "wire", bytes: bytesOf({ id: 1 }) },
    });
    expect(admitToolCall(admission, registryOf(world), call, NOW)).toMatchObject({
      refusals: [{ code: "call.arguments_invalid" }],
    });
  });
});

const nested: JsonObject = {
  type: "object",
  properties: { filter: { $ref: "#/$defs/filter" }, list: { items: { $ref: "#filter" } } },
  allOf: [{ properties: { page_size: { type: "integer" } } }],
  if: { properties: { mode: { const: "x" } } },
  additionalProperties: { properties: { inner: {} } },
  $defs: { filter: { $anchor: "filter", type: "object", properties: { teamId: {} } } },
};

describe("names that a lax reader takes for pinned ones: call.arguments_invalid", () => {
  it.each<readonly [string, JsonValue]>([
    ["behind a reference", { filter: { TeamID: 1 } }],
    ["behind an anchor, in a list", { list: [{ teamId: 1 }, { team_id: 1 }] }],
    ["of a schema that applies too", { "page-size": 1 }],
    ["of a condition", { Mode: 1 }],
    ["below a name the schema leaves open", { other: { Inner: 1 } }],
  ])("%s", (_title, args) => {
    expect(codes(nested, args)).toEqual(["call.arguments_invalid"]);
  });

  it.each<readonly [string, JsonValue]>([
    ["each name as it is pinned", { filter: { teamId: 1 }, list: [{ teamId: 1 }], page_size: 1 }],
    [
      "a pinned name where the schema does not name it",
      { teamid: 1, filter: { mode: 1, Mode: 2 } },
    ],
    ["names of signs alone", { "": 1, "-": 2, "🙂": 3 }],
  ])("but not %s", (_title, args) => {
    expect(codes(nested, args)).toEqual([]);
  });

  it.each(["ID", "Id", "i_d", "i-d", "i d", "ｉｄ", "i\u200Bd", "ıd", "𝐢𝐝"])(
    "folds %j onto id",
    (name) => {
      expect(fold(name)).toBe("id");
    },
  );

  it("never throws, and finds no name in what has only pinned ones", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.string()), (value, names) => {
        const properties = Object.fromEntries(names.map((name) => [name, {}]));
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fast-check's JSON is JSON
        foldedName({ properties }, value as JsonValue);
        expect(foldedName({ properties }, Object.fromEntries(names.map((n) => [n, 1])))).toBe(
          undefined,
        );
      }),
    );
  });
});

describe("the check of a schema", () => {
  it.each<readonly [string, JsonValue, JsonValue, boolean]>([
    ["format decides nothing", { format: "email" }, "no address", true],
    [
      "a property named format is one",
      { properties: { format: { type: "string" } } },
      { format: 1 },
      false,
    ],
    ["a pattern decides", { pattern: "^[a-z]+$" }, "A", false],
    ["a pattern with an idle escape is read", { pattern: "^\\@\\_x$" }, "@_x", true],
    ["a pattern says nothing of a number", { pattern: "^a$" }, 7, true],
    [
      "draft-07 items",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
      [1],
      false,
    ],
    ["2020-12 prefixItems", { prefixItems: [{ type: "string" }] }, [1], false],
    [
      "const is data",
      { const: { format: "x", pattern: "y" } },
      { format: "x", pattern: "y" },
      true,
    ],
    ["true lets all pass", true, 1, true],
    ["false lets nothing pass", false, 1, false],
    ["no schema lets nothing pass", 7, 1, false],
  ])("%s", (_title, schema, value, fits) => {
    expect(schemaCheck(schema)(value) === undefined).toBe(fits);
  });

  it("matches no longer text with a pattern than it can in little time", () => {
    const check = schemaCheck({ pattern: "^a*$" });
    expect(check("a".repeat(MAX_PATTERN_TEXT))).toBeUndefined();
    expect(check("a".repeat(MAX_PATTERN_TEXT + 1))).toBeDefined();
    expect(schemaCheck({ type: "string" })("a".repeat(MAX_PATTERN_TEXT + 1))).toBeUndefined();
  });

  it("compares no more items than it can in little time", () => {
    const items = Array.from({ length: MAX_UNIQUE_VALUES - 1 }, (_, at) => at);
    const check = schemaCheck({ uniqueItems: true });
    expect(check(items)).toBeUndefined();
    expect(check([...items, -1])).toBeDefined();
    expect(check([1, 1])).toBeDefined();
  });

  it("leaves the schema as it is", () => {
    const schema = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: { $ref: "#" } }),
    });
    const before = JSON.stringify(schema);
    schemaCheck(schema)({ a: {} });
    expect(Reflect.ownKeys(schema)).toEqual(["type", "properties"]);
    expect(JSON.stringify(schema)).toBe(before);
  });
});
