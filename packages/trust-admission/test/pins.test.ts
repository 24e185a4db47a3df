import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { canonicalJson, framedDigest, type JsonValue, parseJson } from "@eve/canonical-json";
import {
  goodSurface,
  pinsOfServer,
  pinsOfTool,
  VERSIONS,
  listIn,
  objectIn,
  textIn,
  withValue,
} from "@eve/test-kit";
import { PIN_FORMAT, pin, type PinPart, type Surface, surfacePins } from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { member } from "../src/pins.ts";
import { anyJson } from "./arbitraries.ts";

const GOOD = goodSurface("2025-11-25");
const PARTS: readonly PinPart[] = [
  "inputSchema",
  "description",
  "definition",
  "instructions",
  "capabilities",
  "prompts",
  "resources",
];
const parse = (text: string): JsonValue => {
  const parsed = parseJson(new TextEncoder().encode(text));
  if (!parsed.ok) throw new TypeError(parsed.fault.code);
  return parsed.value;
};
const definitionOf = (text: string): string => pin("definition", parse(text));

describe("the pins of a surface", () => {
  it("are those of the documented framing", () => {
    for (const version of VERSIONS) {
      const surface = goodSurface(version);
      const { tools, ...server } = surfacePins(surface);
      expect(server).toEqual(pinsOfServer(surface));
      expect(tools).toEqual(
        surface.tools.map((tool) => ({ name: tool["name"], pins: pinsOfTool(tool) })),
      );
    }
  });

  it("are plain SHA-256 over the domain, a NUL and the canonical form", () => {
    const bytes = `eve/pin/1/description\0${JSON.stringify("Lists notes")}`;
    expect(pin("description", "Lists notes")).toBe(
      createHash("sha256").update(bytes).digest("hex"),
    );
    expect(pin("description", undefined)).toBe(
      createHash("sha256").update("eve/pin/1/description\0").digest("hex"),
    );
    expect(PIN_FORMAT).toBe(1);
  });

  it("never give two parts one pin for one value", () => {
    for (const value of ["", null, {}, [], undefined])
      expect(new Set(PARTS.map((part) => pin(part, value))).size).toBe(PARTS.length);
  });

  it("tell absent, empty and null apart", () => {
    for (const part of PARTS)
      expect(
        new Set([undefined, null, "", {}, [], 0, false].map((value) => pin(part, value))).size,
      ).toBe(7);
    for (const part of [
      "instructions",
      "capabilities",
      "prompts",
      "resources",
      "resourceTemplates",
    ] as const) {
      const three = [undefined, []].map((value) =>
        JSON.stringify(surfacePins({ ...GOOD, [part]: value })),
      );
      expect(new Set(three).size).toBe(2);
    }
  });

  it("take a name from the prototype as absent", () => {
    const [tool] = surfacePins({ ...GOOD, tools: [{}] }).tools;
    expect(tool?.name).toBeUndefined();
    expect(tool?.pins.description).toBe(pin("description", undefined));
    expect(member({}, "constructor")).toBeUndefined();
  });
});

describe("no drift", () => {
  it("is another order of keys, at any depth (SS-01, D01, D02)", () => {
    expect(definitionOf('{"name":"a","inputSchema":{"type":"object","required":["x"]}}')).toBe(
      definitionOf('{"inputSchema":{"required":["x"],"type":"object"},"name":"a"}'),
    );
  });

  it("is another spelling of one number or string (SS-02)", () => {
    expect(definitionOf('{"default":1.0,"a":1e2,"b":"\\u0061"}')).toBe(
      definitionOf('{ "default" : 1, "a":100, "b":"a" }'),
    );
  });

  it("is another order of tools, prompts, resources or templates (D03)", () => {
    const turned = {
      ...GOOD,
      tools: GOOD.tools.toReversed(),
      prompts: GOOD.prompts?.toReversed(),
      resources: GOOD.resources?.toReversed(),
    } as Surface;
    const { tools, ...server } = surfacePins(turned);
    expect(server).toEqual(pinsOfServer(GOOD));
    expect(tools.toReversed()).toEqual(surfacePins(GOOD).tools);
  });
});

describe("a hint that flips (SM-01, D04)", () => {
  const [tool = {}] = GOOD.tools;
  const flipped = withValue(tool, ["annotations", "destructiveHint"], "flipped");
  const [before, after] = [tool, flipped].map(
    (one) => surfacePins({ ...GOOD, tools: [one] }).tools[0]?.pins,
  );

  it("changes the pin of the definition, and no other: each part has its own", () => {
    expect(after?.definition).not.toBe(before?.definition);
    expect([after?.inputSchema, after?.description]).toEqual([
      before?.inputSchema,
      before?.description,
    ]);
  });

  it("would be a drift in another format of pins too, for the format is part of what is digested", () => {
    expect(pin("definition", tool)).not.toBe(framedDigest("eve/pin/2/definition", tool));
  });
});

describe("drift", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["SS-05 another order in a list", '["a","b"]', '["b","a"]'],
    ["SS-02 a number a little larger", "1", "1.0000000000000002"],
    ["a number in a string", "1", '"1"'],
    ["true in a string", "true", '"true"'],
    ["a composed letter", '"\\u00e9"', '"e\\u0301"'],
    ["a list for its only item", '["a"]', '"a"'],
    ["an item twice", '["a"]', '["a","a"]'],
    ["null for absent", '{"a":null}', "{}"],
    ["a key in another case", '{"A":1}', '{"a":1}'],
  ];
  it.each(rows)("is %s", (_title, a, b) => {
    expect(definitionOf(a)).not.toBe(definitionOf(b));
  });

  it("is every difference of canonical form, and nothing else", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const forms = [a, b].map((each) => canonicalJson(each));
        expect(pin("definition", a) === pin("definition", b)).toBe(forms[0] === forms[1]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the vectors, for programs in other languages", () => {
  const vectors = objectIn(parse(readFileSync(join(import.meta.dirname, "vectors.json"), "utf8")));
  const raw = objectIn(vectors["surface"]);
  const surface: Surface = {
    protocolVersion: textIn(raw["protocolVersion"]),
    instructions: raw["instructions"],
    capabilities: raw["capabilities"],
    tools: listIn(raw["tools"]).map(objectIn),
    prompts: listIn(raw["prompts"]).map(objectIn),
    resources: listIn(raw["resources"]).map(objectIn),
    resourceTemplates: listIn(raw["resourceTemplates"]).map(objectIn),
  };

  it("hold each pin of one small surface", () => {
    const { tools, ...server } = surfacePins(surface);
    expect({ ...tools[0]?.pins, ...server }).toEqual(vectors["pins"]);
    expect(Object.keys(objectIn(vectors["pins"])).toSorted()).toEqual([...PARTS].toSorted());
  });

  it("hold the pin of an absent part", () => {
    expect(Object.fromEntries(PARTS.map((part) => [part, pin(part, undefined)]))).toEqual(
      vectors["absent"],
    );
  });
});
