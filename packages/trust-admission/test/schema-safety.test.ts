import type { JsonObject, JsonValue } from "@eve/canonical-json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeSchemas, type Surface } from "../src/index.ts";
import { rootFault, schemaFaults } from "../src/schema/schema-safety.ts";

const object = (members: JsonObject): JsonObject => ({ type: "object", ...members });
const EMPTY: Surface = {
  protocolVersion: "2026-07-28",
  instructions: undefined,
  capabilities: undefined,
  tools: [],
  prompts: undefined,
  resources: undefined,
  resourceTemplates: undefined,
};
const told = (schema: JsonValue): readonly string[] =>
  schemaFaults(schema).map(({ code, pointer }) => `${code} ${pointer}`);

describe("the root of an input schema", () => {
  it("is an object's", () => {
    expect(rootFault(object({ properties: {} }))).toEqual([]);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["true, which takes everything", true],
    ["an empty schema", {}],
    ["a string's", { type: "string" }],
    ["one of several types", { type: ["object", "null"] }],
    ["a list", []],
  ])("is not %s: schema.not_object", (_, schema) => {
    expect(rootFault(schema).map(({ code }) => code)).toEqual(["schema.not_object"]);
  });
});

/** The codes of a surface with one tool of these schemas. */
const judged = (schemas: JsonObject): readonly string[] =>
  judgeSchemas("notes", { ...EMPTY, tools: [{ name: "one", ...schemas }] }).map(
    ({ code, subject }) => `${code} ${subject}`,
  );

describe("what is no schema", () => {
  const input = { type: "object" };

  // What is in a list has no schema above it: whoever looks for one must end.
  it.each([
    ["a list of schemas", [{}]],
    ["a list of lists", [[{ type: "object" }], {}]],
    ["true", true],
    ["a text", "object"],
    ["null", null],
  ])("is refused, and judged to its end: %s: schema.not_object", (_, schema) => {
    expect(judged({ inputSchema: schema })).toEqual(["schema.not_object tools.one.inputSchema"]);
    expect(judged({ inputSchema: input, outputSchema: schema })).toEqual([
      "schema.not_object tools.one.outputSchema",
    ]);
  });

  it("may be any JSON value: each is judged to its end", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 6 }), (one, other) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jsonValue makes JSON values
        const [inputSchema, outputSchema] = [one, other] as [JsonValue, JsonValue];
        expect(Array.isArray(judged({ inputSchema, outputSchema }))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a reference", () => {
  it.each([
    ["to a definition", { $defs: { a: {} }, properties: { x: { $ref: "#/$defs/a" } } }],
    [
      "to a definition used twice",
      { $defs: { a: {} }, anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] },
    ],
    [
      "to a place with escaped names",
      { $defs: { "a/b~c d": {} }, not: { $ref: "#/$defs/a~1b~0c%20d" } },
    ],
    ["to an anchor", { $defs: { a: { $anchor: "here" } }, not: { $ref: "#here" } }],
    ["to true", { $defs: { a: true }, not: { $ref: "#/$defs/a" } }],
    ["that is a property's name", { properties: { $ref: { type: "string" }, $schema: {} } }],
    [
      "that is data",
      { default: { $ref: "http://127.0.0.1:9/x" }, enum: [{ $ref: "http://x.example" }] },
    ],
  ])("within is let be: %s", (_, members) => {
    expect(told(object(members))).toEqual([]);
  });

  it.each([
    [
      "SS-10 elsewhere",
      { properties: { x: { $ref: "http://127.0.0.1:9/evil.json" } } },
      "/properties/x/$ref",
    ],
    ["SS-10 to a file", { $ref: "evil.json#/a" }, "/$ref"],
    ["SS-10 to a host", { $ref: "//evil.example/x" }, "/$ref"],
    ["that is no text", { $ref: { a: 1 } }, "/$ref"],
    ["in an unknown keyword", { "x-more": { $ref: "https://evil.example" } }, "/x-more/$ref"],
    ["through a dialect", { $schema: "https://evil.example/schema" }, "/$schema"],
    [
      "through a dialect within",
      { not: { $schema: "https://evil.example/schema" } },
      "/not/$schema",
    ],
  ])("that may be fetched is refused, %s: schema.remote_ref", (_, members, pointer) => {
    expect(told(object(members))).toEqual([`schema.remote_ref ${pointer}`]);
  });

  it.each([
    ["SS-11 to what holds it", { properties: { x: { $ref: "#" } } }],
    [
      "SS-11 in a cycle of two",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { not: { $ref: "#/$defs/a" } } }, $ref: "#/$defs/a" },
    ],
    ["SS-11 that depends on the caller", { $dynamicRef: "#a" }],
    ["SS-11 that depends on the caller, older", { items: { $recursiveRef: "#" } }],
    ["that leads nowhere", { $ref: "#/$defs/none" }],
    ["to an anchor that is not there", { $ref: "#none" }],
    ["with a broken escape", { $ref: "#/%E0%A4%A" }],
    ["below another base", { $defs: { a: { $id: "https://evil.example/" } } }],
  ])("that does not end is refused, %s: schema.too_complex", (_, members) => {
    expect(schemaFaults(object(members)).map(({ code }) => code)).toEqual(["schema.too_complex"]);
  });
});

const definitions = (count: number): JsonObject =>
  object({ $defs: Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, {}])) });
/** Each level refers twice to the next: small to send, huge to read. */
const doubling = (levels: number): JsonObject =>
  object({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [
        `d${i}`,
        i + 1 < levels
          ? { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
          : {},
      ]),
    ),
  });

describe("the size of a schema", () => {
  it("is 2,000 subschemas at most, SS-11: schema.too_complex", () => {
    expect(told(definitions(1_999))).toEqual([]);
    expect(told(definitions(2_000))).toEqual(["schema.too_complex "]);
    expect(told(definitions(5_000))).toEqual(["schema.too_complex "]);
  });

  it("counts what references add up to, SS-11: schema.too_complex", () => {
    expect(told(doubling(8))).toEqual([]);
    expect(told(doubling(60))).toEqual(["schema.too_complex "]);
  });
});

describe("a pattern", () => {
  it.each([
    ["of a property", { properties: { x: { pattern: "(a+)+$" } } }, "/properties/x/pattern"],
    ["of property names", { patternProperties: { "(a+)+$": {} } }, "/patternProperties/(a+)+$"],
  ])(
    "that can hang a validator is refused, SS-13 %s: schema.pattern_unsafe",
    (_, members, pointer) => {
      expect(told(object(members))).toEqual([`schema.pattern_unsafe ${pointer}`]);
    },
  );

  it("that is the name of a property is none", () => {
    expect(told(object({ properties: { pattern: { const: "(a+)+$" } } }))).toEqual([]);
  });
});

const asking = (name: JsonValue, type: JsonValue = "string"): JsonObject => ({
  type,
  "x-mcp-header": name,
});
const faultsOf = (schema: JsonObject): readonly string[] =>
  judgeSchemas("notes", { ...EMPTY, tools: [{ name: "read", inputSchema: object(schema) }] }).map(
    ({ code, subject }) => `${code} ${subject}`,
  );

describe("a parameter that is to be sent in a header (SS-17, MUST-CL-18)", () => {
  it.each<[string, JsonObject]>([
    ["properties, each with a name of its own", { a: asking("A"), b: asking("b", "integer") }],
    [
      "a property of a property",
      { a: { type: "object", properties: { b: asking("A", "boolean") } } },
    ],
    [
      "a property of the keyword's name, which asks for nothing",
      { "x-mcp-header": { type: "number" } },
    ],
    ["a property whose name holds a slash", { "a/b": asking("A") }],
  ])("may be asked for at %s", (_, properties) => {
    expect(faultsOf({ properties })).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ["the root", { "x-mcp-header": "A" }, ""],
    ["an item of a list", { properties: { a: { items: asking("A") } } }, "/properties/a/items"],
    ["an alternative", { anyOf: [asking("A")] }, "/anyOf/0"],
    ["a condition", { if: { properties: { a: asking("A") } } }, "/if/properties/a"],
    ["a definition", { $defs: { a: asking("A") } }, "/$defs/a"],
    [
      "any property of a pattern",
      { patternProperties: { a: asking("A") } },
      "/patternProperties/a",
    ],
    ["further properties", { additionalProperties: asking("A") }, "/additionalProperties"],
  ])("may not be asked for at %s: schema.header_invalid", (_, schema, place) => {
    expect(faultsOf(schema)).toEqual([
      `schema.header_invalid tools.read.inputSchema${place}/x-mcp-header`,
    ]);
  });

  it.each<[string, JsonObject]>([
    ["a name with a blank", { b: asking("a b") }],
    ["a name that breaks a line", { b: asking("a\r\nb") }],
    ["a name beyond ASCII", { b: asking("\u0430") }],
    ["no name", { b: asking("") }],
    ["a name that is no text", { b: asking(7) }],
    ["an object", { b: asking("B", "object") }],
    ["a number", { b: asking("B", "number") }],
    ["two types", { b: asking("B", ["string", "null"]) }],
    ["no type", { b: { "x-mcp-header": "B" } }],
    ["a name that is used already, in another case", { a: asking("Id"), b: asking("iD") }],
  ])("may not have %s: schema.header_invalid", (_, properties) => {
    expect(faultsOf({ properties })).toEqual([
      "schema.header_invalid tools.read.inputSchema/properties/b/x-mcp-header",
    ]);
  });

  it("is not asked for by data, or by an answer", () => {
    const data = { default: asking("a b"), enum: [asking("a b")], examples: [asking("a b")] };
    expect(faultsOf({ properties: { a: data } })).toEqual([]);
    const tools = [{ name: "read", inputSchema: object({}), outputSchema: asking("a b") }];
    expect(judgeSchemas("notes", { ...EMPTY, tools })).toEqual([]);
  });
});
