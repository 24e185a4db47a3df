import { type JsonObject, type JsonValue, parseJson } from "@eve/canonical-json";
import { CATALOGUE, parseRegistry, publicRefusal, refusal } from "@eve/registry-schema";
import {
  bytesOf,
  goodDocument,
  goodEntry,
  goodTool,
  hintsOf,
  listIn,
  NOW,
  objectIn,
  type Path,
  renewed,
  textIn,
  withChange,
  withValue,
} from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitToolCall, pin, type PinPart, surfacePins, type ToolCall } from "../src/index.ts";
import {
  admissionOf,
  codesOf,
  goodCall,
  goodWorld,
  refusalsOf,
  registryOf,
  withEntry,
  withSurface,
  type World,
} from "./world.ts";

/** Holes that were found in systems of this kind; each title is one. None is here. */

const callCodes = (change: Partial<ToolCall>, world: World = goodWorld()): readonly string[] => {
  const call = goodCall("ship_note", hintsOf("publish"), change);
  const verdict = admitToolCall(admissionOf(goodWorld()), registryOf(world), call, NOW);
  return verdict.admitted ? [] : codesOf(verdict.refusals);
};
/** What a whole document answers: its own faults, or those of its one entry. */
const documentCodes = (change: (document: JsonObject) => JsonObject): readonly string[] => {
  const parsed = parseRegistry(
    bytesOf(change(goodDocument({ entries: [goodWorld().entry] }).value)),
  );
  if (!parsed.ok) return codesOf(parsed.refusals);
  const record = parsed.registry.integrations.get("notes");
  return record?.status === "complete" ? [] : codesOf(record?.refusals ?? []);
};

describe("hole: a schema-only change approved because the description matches", () => {
  it("is refused for the schema alone: surface.schema_drift", () => {
    const world = withSurface(
      goodWorld(),
      ["tools", 0, "inputSchema", "properties", "send_to"],
      () => ({ type: "string" }),
    );
    const codes = codesOf(refusalsOf(world));
    expect(codes).toEqual(["surface.schema_drift", "surface.definition_drift"]);
    expect(codes).not.toContain("surface.description_drift");
  });

  it("and a description alone, with every schema as it was: surface.description_drift", () => {
    const world = withSurface(goodWorld(), ["tools", 0, "description"], () => "Lists them all.");
    expect(codesOf(refusalsOf(world))).toEqual([
      "surface.description_drift",
      "surface.definition_drift",
    ]);
  });
});

describe("hole: an unreadable baseline treated as none, and none as trusted", () => {
  it.each<[string, Path, JsonValue | undefined]>([
    ["a pin that is no digest", ["tools", 0, "pins", "description"], "unreadable"],
    ["a pin of nothing", ["tools", 0, "pins", "description"], ""],
    ["a pin that is null", ["tools", 0, "pins", "inputSchema"], null],
    ["no pin", ["tools", 0, "pins", "inputSchema"], undefined],
    ["no pins", ["tools", 0, "pins"], undefined],
    ["no pin of this version", ["tools", 0, "pins", "definition", "2025-11-25"], undefined],
    ["no pins of the server in this version", ["surface", "2025-11-25"], undefined],
    ["no pins of the server", ["surface"], undefined],
  ])("%s refuses the entry, with the surface exactly as it was", (_, path, value) => {
    const world = { ...goodWorld(), entry: renewed(withValue(goodWorld().entry, path, value)) };
    const codes = codesOf(refusalsOf(world));
    expect(codes[0]).toMatch(/^registry\.field_(?:missing|invalid)$/);
  });

  it.each([
    ["half of it", (text: string) => text.slice(0, text.length / 2)],
    ["nothing", () => ""],
    ["text", () => "unreadable"],
    ["null", () => "null"],
    ["an empty object", () => "{}"],
  ])("a registry of %s is no registry that admits", (_, change) => {
    const text = Buffer.from(goodDocument({ entries: [goodWorld().entry] }).bytes).toString();
    expect(parseRegistry(Buffer.from(change(text))).ok).toBe(false);
  });
});

describe("hole: reverting one field approves the rest", () => {
  const changes: readonly (readonly [Path, string])[] = [
    [["tools", 0, "description"], "surface.description_drift"],
    [["tools", 1, "inputSchema", "type"], "surface.schema_drift"],
    [["tools", 2, "title"], "surface.definition_drift"],
    [["instructions"], "surface.instructions_drift"],
  ];

  it.each(changes)("of %j, with the others changed still", (reverted) => {
    const rest = changes.filter(([path]) => path !== reverted);
    const world = rest.reduce((left, [path]) => withSurface(left, path, () => "x"), goodWorld());
    const codes = codesOf(refusalsOf(world));
    expect(codes).toEqual(expect.arrayContaining(rest.map(([, code]) => code)));
  });
});

describe("hole: name, description and schema hashed without separators", () => {
  it("what moves from one part into another changes a pin", () => {
    const text = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(text, text, fc.nat(), (name, description, at) => {
        const all = name + description;
        const cut = at % (all.length + 1);
        fc.pre(cut !== name.length);
        const pins = [
          { name, description },
          { name: all.slice(0, cut), description: all.slice(cut) },
        ].map((tool) => surfacePins({ ...goodWorld().observation.surface.value, tools: [tool] }));
        expect(pins[0]?.tools[0]?.pins.definition).not.toBe(pins[1]?.tools[0]?.pins.definition);
      }),
    );
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { name: "a", description: 'b","inputSchema":{}', inputSchema: {} },
      { name: "a", description: "b", inputSchema: {} },
    ],
    [{ name: 'a","description":"b' }, { name: "a", description: "b" }],
    [
      { name: "a|b", description: "c" },
      { name: "a", description: "b|c" },
    ],
    [
      { name: "a\0b", description: "c" },
      { name: "a", description: "b\0c" },
    ],
  ])("nor do texts that hold a separator meet: %j and %j", (a, b) => {
    expect(pin("definition", a)).not.toBe(pin("definition", b));
  });

  it("and one value has another pin in each part", () => {
    const parts: readonly PinPart[] = ["inputSchema", "description", "definition", "instructions"];
    expect(new Set(parts.map((part) => pin(part, "x"))).size).toBe(parts.length);
  });
});

describe("hole: a property named __proto__ invisible to the hash", () => {
  it.each(['{"__proto__":{}}', '{"a":{"\\u005f_proto__":1}}'])("%s is not read at all", (text) => {
    expect(parseJson(Buffer.from(text))).toMatchObject({ ok: false });
  });

  it("and where some other reader let it in, there is no pin of it, and so no verdict for it: internal.error", () => {
    const hidden: JsonValue = JSON.parse('{"type":"object","__proto__":{"x":1}}');
    expect(() => pin("inputSchema", hidden)).toThrow("__proto__");
    const world = withSurface(goodWorld(), ["tools", 0], (tool) => ({ ...objectIn(tool) }));
    const [tool] = world.observation.surface.value.tools;
    Object.assign(tool ?? {}, { inputSchema: hidden });
    expect(codesOf(refusalsOf(world))).toEqual(["internal.error"]);
  });
});

describe("hole: missing equal to empty", () => {
  const EMPTY: readonly (readonly [Path, JsonValue])[] = [
    [["instructions"], ""],
    [["capabilities"], {}],
    [["prompts"], []],
    [["resources"], []],
    [["resourceTemplates"], []],
    [["tools", 0, "description"], ""],
    [["tools", 0, "inputSchema"], {}],
    [["tools", 0, "outputSchema"], {}],
    [["tools", 0, "annotations"], {}],
    [["tools", 0, "_meta"], {}],
    [["tools", 0, "inputSchema", "required"], []],
  ];

  it.each(EMPTY)(
    "%j: absent and empty are two surfaces, and null is another one but for a list",
    (path, empty) => {
      const pins = [undefined, empty, null].map((value) =>
        JSON.stringify(
          surfacePins(withSurface(goodWorld(), path, () => value).observation.surface.value),
        ),
      );
      const isList = Array.isArray(empty) && path.length === 1; // the observer hands on no null for a list
      expect(new Set(isList ? pins.slice(0, 2) : pins).size).toBe(isList ? 2 : 3);
    },
  );
});

describe("hole: a tool absent from the list called all the same; the list filtered, the call allowed", () => {
  it("one set serves both: what was not admitted is not called: call.tool_unpinned", () => {
    expect(callCodes({ tool: "admin_delete" })).toContain("call.tool_unpinned");
    expect([...admissionOf(goodWorld()).tools.keys()]).not.toContain("admin_delete");
  });

  it("a caller that adds to the set it sees adds nothing to what is called", () => {
    const admission = admissionOf(goodWorld());
    const [tool] = admission.tools.values();
    if (tool === undefined) throw new TypeError("no tool");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a caller may try
    (admission.tools as Map<string, typeof tool>).set("admin_delete", tool);
    const call = goodCall("admin_delete", hintsOf("read"));
    const verdict = admitToolCall(admission, registryOf(goodWorld()), call, NOW);
    expect(verdict.admitted).toBe(false);
  });

  it("a tool of a second page is one of the set: unpinned, it refuses them all: surface.tool_set_drift", () => {
    const world = withSurface(goodWorld(), ["tools"], (tools) => [
      ...listIn(tools),
      goodTool("page_two", "read", "2025-11-25"),
    ]);
    expect(codesOf(refusalsOf(world))).toEqual(["surface.tool_set_drift"]);
  });
});

describe("hole: a notification clears a flag that the call path does not read", () => {
  it("each call carries the generation it was listed in: surface.generation_stale", () => {
    expect(callCodes({ generation: { listed: 1, current: 2 } })).toEqual([
      "surface.generation_stale",
    ]);
  });
});

describe("hole: an internal error lets the call through", () => {
  const broken = new Proxy(hintsOf("publish"), {
    get: () => {
      throw new Error("broken");
    },
  });

  it.each([
    ["in the arguments", { arguments: broken }],
    ["in the annotations", { annotations: broken }],
    ["in the scopes", { scopes: broken }],
    ["in the credential", { credential: broken }],
    ["in the consent", { consent: broken }],
    ["in the generation", { generation: broken }],
  ])("%s: internal.error", (_, change) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says
    expect(callCodes(change as unknown as Partial<ToolCall>)).toEqual(["internal.error"]);
  });
});

describe("hole: a refusal tells a model how to switch it off", () => {
  const WAYS =
    /\b(?:disable|bypass|override|skip|turn(?:ed)? off|switch(?:ed)? off|ignore|force|unsafe|insecure|allow[- ]?all|trust[- ]?all)\b|--no-|--force|--yes|=\s*(?:0|false|off)\b/i;

  it.each(Object.entries(CATALOGUE))("%s names no switch", (_, { title, remedy }) => {
    expect(`${title} ${remedy}`).not.toMatch(WAYS);
  });

  it("and what a model gets holds neither pins nor live text", () => {
    const told = publicRefusal(
      refusal("surface.description_drift", { subject: "LIVE", expected: "PIN", actual: "LIVE" }),
    );
    expect(Object.keys(told).toSorted()).toEqual(["code", "remedy", "title"]);
  });
});

describe("hole: an empty allow-list means that all is allowed", () => {
  it.each<[string, Path]>([
    ["tools", ["tools"]],
    ["protocol versions", ["protocol", "versions"]],
    ["destinations", ["destinations"]],
    ["permissions", ["permissions"]],
    ["permissions of a tool", ["tools", 3, "permissions"]],
    ["destinations of a credential", ["credentials", 0, "destinations"]],
    ["gates", ["dependencyGates"]],
  ])("of %s: refused", (_, path) => {
    const codes =
      path[0] === "dependencyGates"
        ? documentCodes((document) => withValue(document, path, []))
        : codesOf(refusalsOf(withEntry(goodWorld(), path, [])));
    expect(codes.length).toBeGreaterThan(0);
  });

  it("of scopes: call.scope_missing", () => {
    expect(callCodes({ scopes: [] })).toEqual(["call.scope_missing"]);
  });

  it("of entries: entry.absent or registry.empty", () => {
    const parsed = parseRegistry(bytesOf(withValue(goodDocument({ entries: [] }).value, [], {})));
    expect(parsed.ok).toBe(false);
    expect(documentCodes((document) => ({ ...document, integrations: [] }))).toEqual([
      "registry.empty",
    ]);
  });
});

describe("hole: a flag that cannot be read means that all is allowed", () => {
  const unread: readonly JsonValue[] = ["", "ACTIVE", "Active ", null, true, 1, [], {}];
  it.each<[string, Path]>([
    ["lifecycle", ["lifecycle", "state"]],
    ["health", ["health", "status"]],
    ["evaluation", ["evaluation", "status"]],
    ["review", ["review", "basis"]],
    ["kind", ["kind"]],
    ["origin", ["origin"]],
    ["deployment", ["deployment"]],
    ["risk class", ["riskClass"]],
    ["risk class of a tool", ["tools", 0, "riskClass"]],
  ])("of %s: refused, and so is its absence", (_, path) => {
    for (const value of [...unread, undefined])
      expect(codesOf(refusalsOf(withEntry(goodWorld(), path, value)))).not.toEqual([]);
  });

  it("of a gate: refused", () => {
    for (const value of [...unread, undefined])
      expect(
        documentCodes((document) => withValue(document, ["dependencyGates", 0, "status"], value)),
      ).not.toEqual([]);
  });
});

describe("hole: no rule means that it is allowed", () => {
  it("no entry: entry.absent", () => {
    const world = { ...goodWorld(), entry: goodEntry({ now: NOW, id: "memos" }) };
    expect(codesOf(refusalsOf(world))).toEqual(["entry.absent"]);
  });

  it("no entry any more when a call comes: entry.absent", () => {
    const world = { ...goodWorld(), entry: goodEntry({ now: NOW, id: "memos" }) };
    expect(callCodes({}, world)).toContain("entry.absent");
  });

  it("no tool of that name, no version of that date, no credential of that id", () => {
    expect(callCodes({ tool: "other" })).toContain("call.tool_unpinned");
    expect(callCodes({ protocolVersion: "2024-11-05" })).toEqual(["protocol.version_unadmitted"]);
    const credential = { id: "other", destination: "https://notes.eve.example" };
    expect(callCodes({ credential })).toEqual(["credential.destination_refused"]);
  });

  it("no consent for what publishes: consent.required", () => {
    expect(callCodes({ consent: { by: "none" } })).toEqual(["consent.required"]);
  });

  it("no property of that name in the schema: call.arguments_invalid", () => {
    const bytes = bytesOf({ id: "n-1", target: "staging", other: 1 });
    expect(callCodes({ arguments: { from: "wire", bytes } })).toEqual(["call.arguments_invalid"]);
  });
});

it("the base of all of these is admitted, and its call too", () => {
  expect(refusalsOf(goodWorld())).toEqual([]);
  expect(callCodes({})).toEqual([]);
  expect(documentCodes((document) => document)).toEqual([]);
  const tools = listIn(goodWorld().entry["tools"]).map((tool) => textIn(objectIn(tool)["name"]));
  expect(tools).toContain("ship_note");
  expect(withChange({ a: 1 }, ["a"], () => 2)).toEqual({ a: 2 });
});
