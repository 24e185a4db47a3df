import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import {
  bytesOf,
  goodSurface,
  goodTool,
  hintsOf,
  leavesOf,
  listIn,
  NOW,
  objectIn,
  objectsOf,
  type Path,
  textIn,
  valueAt,
  withChange,
} from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitToolCall, diffSurfaces, pin, type Surface, surfacePins } from "../src/index.ts";
import {
  admissionOf,
  asReviewed,
  codesOf,
  goodCall,
  goodWorld,
  refusalsOf,
  registryOf,
  withSurface,
  type World,
} from "./world.ts";

const GOOD: Surface = goodSurface("2025-11-25");

/** The value with the members of every object in it, at any depth, in the order of a comparison; lists as they are. */
function turned(value: JsonValue, compare: (a: string, b: string) => number): JsonValue {
  if (isJsonArray(value)) return value.map((item) => turned(item, compare));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted(compare);
  return Object.fromEntries(names.map((name) => [name, turned(value[name] ?? null, compare)]));
}

/** The good surface with its tools replaced. */
const withTools = (tools: readonly JsonObject[]): Surface => ({ ...GOOD, tools });

/** Why a surface is refused where the good one was reviewed. */
const refusalsFor = (surface: Surface): ReturnType<typeof refusalsOf> =>
  refusalsOf(withSurface(goodWorld(), ["tools"], () => [...surface.tools]));

describe("D01, D02 members in another order, at any depth of a surface", () => {
  it("are no drift and no difference", () => {
    fc.assert(
      fc.property(fc.compareFunc<string>(), (compare) => {
        const tools = GOOD.tools.map((tool) => objectIn(turned(tool, compare)));
        expect(surfacePins(withTools(tools))).toEqual(surfacePins(GOOD));
        expect(refusalsFor(withTools(tools))).toEqual([]);
        expect(diffSurfaces(GOOD, withTools(tools))).toEqual([]);
      }),
    );
  });

  it("are seen at every depth: one value changed in any object is a drift, whatever the order", () => {
    const objects = objectsOf([...GOOD.tools]).filter(({ value }) => Object.keys(value).length > 1);
    expect(objects.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(
        fc.constantFrom(...leavesOf([...GOOD.tools]).map(({ path }) => path)),
        fc.compareFunc<string>(),
        (path, compare) => {
          const changed = withChange([...GOOD.tools], path, () => "changed");
          const tools = changed.map((tool) => objectIn(turned(tool, compare)));
          expect(refusalsFor(withTools(tools)).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

it.each<[string, Path, string]>([
  ["required", ["inputSchema", "required"], "order_only"],
  ["enum", ["inputSchema", "properties", "target", "enum"], "order_only"],
])("D01 the order of a list counts: %s, told apart from other changes", (_, path, grade) => {
  const [tool = {}, ...others] = GOOD.tools;
  const turnedTool = withChange(tool, path, (old) => listIn(old).toReversed());
  const after = withTools([turnedTool, ...others]);
  expect(codesOf(refusalsFor(after))).toContain("surface.schema_drift");
  expect(diffSurfaces(GOOD, after).map((change) => change.grade)).toEqual([grade]);
});

describe("D03 tools in another order", () => {
  it("are no drift, in any of their orders", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...GOOD.tools], { minLength: 5 }), (tools) => {
        expect(refusalsFor(withTools(tools))).toEqual([]);
      }),
    );
  });

  it("are refused where a name stands twice, equal or not, wherever: surface.duplicate_tool", () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(5), fc.boolean(), (which, where, isEqual) => {
        const tool = GOOD.tools[which] ?? {};
        const again = isEqual ? tool : { ...tool, title: "Again" };
        const tools = [...GOOD.tools.slice(0, where), again, ...GOOD.tools.slice(where)];
        expect(codesOf(refusalsFor(withTools(tools)))[0]).toBe("surface.duplicate_tool");
      }),
    );
  });
});

describe("D05 a refusal of a drift names the field, the pinned digest, the live one and where it was looked up", () => {
  it.each<[string, Path, string]>([
    [
      "surface.schema_drift",
      ["tools", 1, "inputSchema", "type"],
      "tools.get_note.pins.inputSchema",
    ],
    ["surface.description_drift", ["tools", 1, "description"], "tools.get_note.pins.description"],
    [
      "surface.definition_drift",
      ["tools", 1, "title"],
      "tools.get_note.pins.definition.2025-11-25",
    ],
    ["surface.instructions_drift", ["instructions"], "surface.2025-11-25.instructions"],
    ["surface.capability_drift", ["capabilities", "x"], "surface.2025-11-25.capabilities"],
    ["surface.prompt_drift", ["prompts", 0, "name"], "surface.2025-11-25.prompts"],
    ["surface.resource_drift", ["resources", 0, "name"], "surface.2025-11-25.resources"],
  ])("%s", (code, path, subject) => {
    const world = withSurface(goodWorld(), path, () => "Other.");
    const told = refusalsOf(world).find((refusal) => refusal.code === code);
    // The subject is a path into the entry: what stands there is the pinned digest, and the live one is the part's.
    const { tools, ...server } = surfacePins(world.observation.surface.value);
    const live: JsonValue = {
      tools: Object.fromEntries(
        tools.map(({ name, pins: { definition, ...pins } }) => [
          textIn(name),
          { pins: { ...pins, definition: { "2025-11-25": definition } } },
        ]),
      ),
      surface: { "2025-11-25": { ...server } },
    };
    const entryTools = listIn(world.entry["tools"]).map(objectIn);
    const pinned: JsonValue = {
      ...world.entry,
      tools: Object.fromEntries(entryTools.map((tool) => [textIn(tool["name"]), tool])),
    };
    const place = subject.split(".");
    expect(told).toMatchObject({
      integration: "notes",
      subject,
      expected: valueAt(pinned, place),
      actual: valueAt(live, place),
    });
    expect(told?.expected).toMatch(/^[0-9a-f]{64}$/);
    expect(told?.actual).not.toBe(told?.expected);
  });
});

describe("D07 a release that renames a tool", () => {
  const renamed = withTools(
    GOOD.tools.map((tool) =>
      tool["name"] === "ship_note" ? { ...tool, name: "send_note" } : tool,
    ),
  );

  it("is refused with what is missing and what is new: surface.tool_set_drift", () => {
    expect(refusalsFor(renamed)[0]).toMatchObject({
      code: "surface.tool_set_drift",
      actual: "added: send_note; missing: ship_note",
    });
  });

  it("looks renamed to a person, from what to what", () => {
    expect(diffSurfaces(GOOD, renamed)).toEqual([
      {
        grade: "looks_renamed",
        field: "/tools/ship_note",
        before: "ship_note",
        after: "send_note",
      },
    ]);
  });

  it("carries nothing over: the new name has no class, no permission and no call: call.tool_unpinned", () => {
    const world = goodWorld();
    const admission = admissionOf(world);
    expect(admission.tools.get("send_note")).toBeUndefined();
    const call = goodCall("send_note", hintsOf("publish"));
    const verdict = admitToolCall(admission, registryOf(world), call, NOW);
    expect(verdict.admitted ? [] : codesOf(verdict.refusals)).toEqual(["call.tool_unpinned"]);
  });
});

describe("D08 a name that the entry does not have is never called", () => {
  const world = goodWorld();
  const admission = admissionOf(world);
  const registry = registryOf(world);
  const codesFor = (tool: string): readonly string[] => {
    const verdict = admitToolCall(admission, registry, goodCall(tool, hintsOf("read")), NOW);
    return verdict.admitted ? [] : codesOf(verdict.refusals);
  };
  const known = [...admission.tools.keys()];

  it.each([
    "List_notes",
    "LIST_NOTES",
    "list-notes",
    "list_notes ",
    " list_notes",
    "list_notes\0",
    "list_n\u200botes",
    "list_n\u043etes",
    "notes.list_notes",
    "notes/list_notes",
    "list_note",
    "list_notes2",
    "",
    "*",
    "__proto__",
    "constructor",
    "toString",
    "size",
  ])("%j: call.tool_unpinned", (name) => {
    expect(codesFor(name)).toContain("call.tool_unpinned");
  });

  it("whatever it is: call.tool_unpinned", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(fc.constantFrom(...known), fc.string({ minLength: 1 })).map(([a, b]) => a + b),
    );
    fc.assert(
      fc.property(
        name.filter((text) => !known.includes(text)),
        (text) => {
          expect(codesFor(text)).toContain("call.tool_unpinned");
        },
      ),
    );
  });

  it("not even where the server lists it: the whole surface is refused first: surface.tool_set_drift", () => {
    const tools = [...GOOD.tools, goodTool("new_tool", "read", "2025-11-25")];
    expect(codesOf(refusalsFor(withTools(tools)))).toEqual(["surface.tool_set_drift"]);
  });
});

/** A third party's world with a text in one place. */
const worldWith = (place: Path, text: string): World =>
  withSurface(goodWorld({ origin: "third-party" }), place, () => `Read${text} me`);

describe("D18 text that nobody sees, in any field of a surface, reviewed or not", () => {
  const hidden: readonly (readonly [string, string, string])[] = [
    ["tag letters", "\u{e0069}\u{e0067}", "U+E0067, U+E0069"],
    ["a bidirectional override", "\u202e", "U+202E"],
    ["a zero-width space", "\u200b", "U+200B"],
    ["a control character", "\u001b", "U+001B"],
  ];
  const places: readonly Path[] = [
    ["instructions"],
    ["capabilities", "note"],
    ["tools", 1, "title"],
    ["tools", 1, "description"],
    ["tools", 1, "annotations", "title"],
    ["tools", 1, "inputSchema", "properties", "id", "description"],
    ["tools", 1, "inputSchema", "properties", "id", "default"],
    ["tools", 1, "outputSchema", "description"],
    ["tools", 1, "_meta", "eve.example/note"],
    ["prompts", 0, "description"],
    ["resources", 0, "name"],
    ["resourceTemplates", 0, "name"],
  ];

  it.each(hidden)("%s: surface.text_unsafe", (_, text, points) => {
    for (const place of places) {
      const refusals = refusalsOf(asReviewed(worldWith(place, text)));
      expect({ place, codes: codesOf(refusals) }).toMatchObject({
        codes: expect.arrayContaining(["surface.text_unsafe"]),
      });
      expect(refusals.find(({ code }) => code === "surface.text_unsafe")?.actual).toBe(points);
    }
  });

  it.each(hidden)("%s is shown by its code points in a difference", (_, text, points) => {
    for (const place of places) {
      const before = worldWith(place, "").observation.surface.value;
      const after = worldWith(place, text).observation.surface.value;
      const [change] = diffSurfaces(before, after);
      for (const point of points.split(", ")) expect(change?.after).toContain(`⟨${point}⟩`);
      expect(change?.after).not.toContain(text);
    }
  });
});

describe("D19 a schema with $defs and $ref is taken as it was sent", () => {
  const inputSchema: JsonObject = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: {
      Id: { type: "string", pattern: "^n-[0-9]+$" },
      Ids: { items: { $ref: "#/$defs/Id" } },
    },
    type: "object",
    properties: { id: { $ref: "#/$defs/Id" }, more: { $ref: "#/$defs/Ids" } },
    required: ["id"],
  };
  const world = asReviewed(
    withSurface(goodWorld(), ["tools", 1, "inputSchema"], () => inputSchema),
  );

  it("is admitted, and its pin is of all its members", () => {
    expect(refusalsOf(world)).toEqual([]);
    const { tools } = surfacePins(world.observation.surface.value);
    expect(tools[1]?.pins.inputSchema).toBe(pin("inputSchema", inputSchema));
    expect(pin("inputSchema", inputSchema)).not.toBe(
      pin("inputSchema", { ...inputSchema, $defs: {} }),
    );
  });

  it.each<[string, Path, JsonValue | undefined]>([
    ["without its definitions", ["$defs"], undefined],
    ["with a wider definition", ["$defs", "Id", "pattern"], "^n-"],
    ["with a definition more", ["$defs", "Other"], {}],
    ["with the reference written out", ["properties", "id"], objectIn(inputSchema["$defs"])["Id"]],
  ])("drifts %s: surface.schema_drift", (_, path, value) => {
    const changed = withSurface(world, ["tools", 1, "inputSchema", ...path], () => value);
    expect(codesOf(refusalsOf(changed))).toContain("surface.schema_drift");
  });

  it.each([
    [{ id: "n-1", more: ["n-2"] }, []],
    [{ id: "x" }, ["call.arguments_invalid"]],
    [{ id: "n-1", more: ["x"] }, ["call.arguments_invalid"]],
  ])("is what arguments are held against, references and all: %j", (value, codes) => {
    const call = goodCall("get_note", hintsOf("read"), {
      arguments: { from: "wire", bytes: bytesOf(value) },
    });
    const verdict = admitToolCall(admissionOf(world), registryOf(world), call, NOW);
    expect(verdict.admitted ? [] : codesOf(verdict.refusals)).toEqual(codes);
  });
});

describe("D23 a hint that a server gives of itself", () => {
  it("never makes a publishing tool one that only reads: consent.required", () => {
    const world = goodWorld({ origin: "third-party" });
    const call = goodCall(
      "ship_note",
      { readOnlyHint: true, destructiveHint: false },
      {
        consent: { by: "none" },
      },
    );
    const verdict = admitToolCall(admissionOf(world), registryOf(world), call, NOW);
    expect(verdict.admitted ? [] : codesOf(verdict.refusals)).toEqual(["consent.required"]);
    expect(admissionOf(world).tools.get("ship_note")?.riskClass).toBe("publish");
  });

  it("that contradicts what was reviewed is a drift, first of all in the difference: surface.definition_drift", () => {
    const world = withSurface(goodWorld(), ["tools", 3, "annotations", "readOnlyHint"], () => true);
    expect(codesOf(refusalsOf(world))).toEqual([
      "surface.definition_drift",
      "surface.annotation_mismatch",
    ]);
    expect(diffSurfaces(GOOD, world.observation.surface.value)[0]?.grade).toBe("hint_weakened");
  });
});
