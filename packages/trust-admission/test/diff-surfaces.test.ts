import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { goodObservation, leavesOf, type Path, withValue } from "@eve/test-kit";
import { missingNote, runsAgainst } from "@eve/config/shared-folder";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffSurfaces, GRADES, type Surface, surfacePins } from "../src/index.ts";
import { anyJson } from "./arbitraries.ts";
import { RECORDED, recorded, recordings } from "./recorded.ts";

const TOOL: JsonObject = {
  name: "read",
  title: "Read",
  description: "Reads one file.",
  annotations: { readOnlyHint: false, destructiveHint: true },
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {},
    properties: {
      path: { type: "string", maxLength: 100 },
      mode: { enum: ["text", "bytes"], default: "text" },
      more: true,
    },
    required: ["path", "mode"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { kind: { enum: ["a", "b"] } } },
};
const surface = (members: Partial<Surface> = {}): Surface => ({
  protocolVersion: "2025-11-25",
  instructions: "Use it well.",
  capabilities: { tools: {} },
  tools: [TOOL],
  prompts: undefined,
  resources: undefined,
  resourceTemplates: undefined,
  ...members,
});

/** The tool with one leaf set, or taken away. */
const changedTool = (path: Path, value: JsonValue | undefined): JsonObject =>
  withValue(TOOL, path, value);
const told = (after: Surface, before = surface()): readonly string[] =>
  diffSurfaces(before, after).map(({ grade, field }) => `${grade} ${field}`);
const toldOf = (path: readonly string[], value: JsonValue | undefined): readonly string[] =>
  told(surface({ tools: [changedTool(path, value)] }));

describe("a hint", () => {
  it.each([
    ["readOnlyHint", true, "hint_weakened"],
    ["destructiveHint", false, "hint_weakened"],
    ["openWorldHint", false, "hint_weakened"],
    ["idempotentHint", true, "hint_weakened"],
    ["destructiveHint", undefined, undefined],
    ["readOnlyHint", undefined, undefined],
    ["openWorldHint", true, undefined],
  ])("%s that becomes %s is %s", (name, value, grade) => {
    const after = changedTool(["annotations", name], value);
    const grades = told(surface({ tools: [after] }));
    expect(grades).toEqual([`${grade ?? "notation"} /tools/read/annotations/${name}`]);
  });

  it("that warns again is told as such, and one nobody knows as breaking", () => {
    const weak = surface({ tools: [changedTool(["annotations", "readOnlyHint"], true)] });
    expect(told(surface(), weak)).toEqual([
      "hint_strengthened /tools/read/annotations/readOnlyHint",
    ]);
    expect(toldOf(["annotations", "x-hint"], 1)).toEqual([
      "breaking /tools/read/annotations/x-hint",
    ]);
  });
});

const at = (...path: readonly string[]): readonly string[] => ["inputSchema", ...path];

describe("an input schema", () => {
  it.each<[string, string, readonly string[], JsonValue | undefined]>([
    ["an optional property more", "loosened", at("properties", "extra"), {}],
    ["a property less", "breaking", at("properties", "path"), undefined],
    ["a required field less", "loosened", at("required"), ["path"]],
    ["another required field", "breaking", at("required"), ["path", "mode", "more"]],
    ["required fields in another order, SS-05", "order_only", at("required"), ["mode", "path"]],
    ["a required field twice", "notation", at("required"), ["path", "mode", "mode"]],
    ["a value more", "loosened", at("properties", "mode", "enum"), ["text", "bytes", "all"]],
    ["a value less", "breaking", at("properties", "mode", "enum"), ["text"]],
    ["a value exchanged", "breaking", at("properties", "mode", "enum"), ["text", "raw"]],
    [
      "values in another order, D01",
      "order_only",
      at("properties", "mode", "enum"),
      ["bytes", "text"],
    ],
    ["any value", "loosened", at("properties", "mode", "enum"), undefined],
    ["another default", "breaking", at("properties", "mode", "default"), "bytes"],
    ["a type more", "loosened", at("properties", "path", "type"), ["string", "null"]],
    ["another type", "breaking", at("properties", "path", "type"), "number"],
    ["a higher bound", "loosened", at("properties", "path", "maxLength"), 101],
    ["a lower bound", "breaking", at("properties", "path", "maxLength"), 99],
    ["no bound", "loosened", at("properties", "path", "maxLength"), undefined],
    ["a new lower bound", "breaking", at("properties", "path", "minLength"), 1],
    ["a new pattern", "breaking", at("properties", "path", "pattern"), "^a"],
    ["further properties", "loosened", at("additionalProperties"), true],
    ["a schema in place of true", "breaking", at("properties", "more"), { type: "string" }],
    ["{} for true", "notation", at("properties", "more"), {}],
    ["another dialect", "notation", at("$schema"), "http://json-schema.org/draft-07/schema#"],
    ["other words", "prose", at("properties", "path", "description"), "Where it is."],
    ["a definition nobody uses yet", "notation", at("$defs", "a"), { type: "string" }],
    ["a header of its own", "breaking", at("properties", "path", "x-mcp-header"), "X-Path"],
  ])("with %s is %s", (_, grade, path, value) => {
    expect(toldOf(path, value)).toEqual([`${grade} /tools/read/${path.join("/")}`]);
  });

  it("that is gone, or is another thing, is breaking or takes all", () => {
    expect(toldOf(["inputSchema"], false)).toEqual(["breaking /tools/read/inputSchema"]);
    expect(toldOf(["inputSchema"], true)).toEqual(["loosened /tools/read/inputSchema"]);
  });
});

describe("an output schema", () => {
  it.each<[string, string, readonly string[], JsonValue | undefined]>([
    ["a value more", "breaking", ["outputSchema", "properties", "kind", "enum"], ["a", "b", "c"]],
    ["a value less", "loosened", ["outputSchema", "properties", "kind", "enum"], ["a"]],
    ["a property less", "breaking", ["outputSchema", "properties", "kind"], undefined],
    ["a property more", "loosened", ["outputSchema", "properties", "size"], {}],
    ["no schema", "breaking", ["outputSchema"], undefined],
  ])("with %s is %s for whoever reads it", (_, grade, path, value) => {
    expect(toldOf(path, value)).toEqual([`${grade} /tools/read/${path.join("/")}`]);
  });

  it("that is new offers more", () => {
    const without = surface({ tools: [changedTool(["outputSchema"], undefined)] });
    expect(told(surface(), without)).toEqual(["loosened /tools/read/outputSchema"]);
  });
});

describe("a tool", () => {
  const other: JsonObject = { name: "write", inputSchema: { type: "object" } };

  it("more is loosened, less is breaking", () => {
    expect(told(surface({ tools: [TOOL, other] }))).toEqual(["loosened /tools/write"]);
    expect(told(surface(), surface({ tools: [TOOL, other] }))).toEqual(["breaking /tools/write"]);
  });

  it("under another name alone looks renamed, and is not the tool that was trusted (D07)", () => {
    expect(diffSurfaces(surface(), surface({ tools: [{ ...TOOL, name: "get" }] }))).toEqual([
      { grade: "looks_renamed", field: "/tools/read", before: "read", after: "get" },
    ]);
  });

  it("under another name with another text is a tool less and a tool more", () => {
    const renamed = { ...TOOL, name: "get", description: "Reads." };
    expect(told(surface({ tools: [renamed] }))).toEqual([
      "breaking /tools/read",
      "loosened /tools/get",
    ]);
  });

  it("listed twice is not lost", () => {
    expect(told(surface({ tools: [TOOL, { ...TOOL, title: "Again" }] }))).toEqual([
      "loosened /tools/read#1",
    ]);
  });

  it("with a member nobody knows is breaking", () => {
    expect(toldOf(["_meta"], { a: 1 })).toEqual(["breaking /tools/read/_meta"]);
  });
});

describe("words", () => {
  it("show what hides in them, on one line", () => {
    const [found] = diffSurfaces(
      surface(),
      surface({ tools: [changedTool(["description"], "Reads\n one\u200b file.\u202e")] }),
    );
    expect(found).toMatchObject({
      grade: "prose",
      before: "Reads one file.",
      after: "Reads⟨U+000A⟩ one⟨U+200B⟩ file.⟨U+202E⟩",
    });
  });

  it.each([
    ["Saves below /home/a/work", "Saves below /srv/b c/работа"],
    ["Saves below C:\\Users\\a, never elsewhere", "Saves below C:\\Users\\b, never elsewhere"],
    ["See file:///home/a/x and file:///home/a/y", "See file:///home/b/x and file:///home/b/y"],
    ["Runs on linux", "Runs on darwin"],
  ])("of the host look so: %s", (before, after) => {
    expect(told(surface({ instructions: after }), surface({ instructions: before }))).toEqual([
      "looks_host_dependent /instructions",
    ]);
  });

  it.each([
    ["Saves below /home/a/work", "Sends all below /home/a/work"],
    ["Reads /etc/hosts", "Reads files"],
    ["Never deletes", "Deletes"],
    ["", "New words"],
  ])("that say something else do not: %s", (before, after) => {
    expect(told(surface({ instructions: after }), surface({ instructions: before }))).toEqual([
      "prose /instructions",
    ]);
  });
});

describe("what a server offers beside tools", () => {
  it("is told item by item", () => {
    const [p, q] = [{ name: "p", description: "a" }, { name: "q" }];
    expect(told(surface({ prompts: [q] }), surface({ prompts: [p] }))).toEqual([
      "breaking /prompts/p",
      "loosened /prompts/q",
    ]);
    const words = surface({ prompts: [{ ...p, description: "b" }] });
    expect(told(words, surface({ prompts: [p] }))).toEqual(["prose /prompts/p/description"]);
    const uri = surface({ resources: [{ uri: "file:///x", mimeType: "a" }] });
    expect(told(surface({ resources: [{ uri: "file:///x", mimeType: "b" }] }), uri)).toEqual([
      "breaking /resources/file:~1~1~1x/mimeType",
    ]);
  });

  it("is told as a whole where there was none: absent is not empty", () => {
    expect(told(surface({ prompts: [] }))).toEqual(["loosened /prompts"]);
    expect(told(surface(), surface({ resourceTemplates: [] }))).toEqual([
      "breaking /resourceTemplates",
    ]);
    expect(told(surface({ capabilities: { tools: {}, logging: {} } }))).toEqual([
      "breaking /capabilities/logging",
    ]);
  });
});

describe("diffSurfaces", () => {
  it("tells the most urgent first", () => {
    const after = changedTool(["annotations", "readOnlyHint"], true);
    const grades = diffSurfaces(
      surface(),
      surface({ instructions: "Other.", tools: [{ ...after, _meta: 1 }] }),
    ).map(({ grade }) => grade);
    expect(grades).toEqual(["hint_weakened", "breaking", "prose"]);
    expect(grades).toEqual(grades.toSorted((a, b) => GRADES.indexOf(a) - GRADES.indexOf(b)));
  });

  it("finds a difference wherever a pin does, and none where none does", () => {
    const good = goodObservation("2025-11-25").surface.value;
    const leaves = fc.constantFrom(...leavesOf([...good.tools]).map(({ path }) => path));
    fc.assert(
      fc.property(leaves, anyJson, (path, value) => {
        const changed = { ...good, tools: withValue([...good.tools], path, value) };
        const isPinned = JSON.stringify(surfacePins(changed)) !== JSON.stringify(surfacePins(good));
        expect(diffSurfaces(good, changed).length > 0).toBe(isPinned);
      }),
    );
  });
});

/** Two consecutive versions of playwright. */
const versions = (): readonly [Surface, Surface] => [
  recorded("@playwright+mcp@0.0.80.jsonl"),
  recorded("@playwright+mcp@0.0.81.jsonl"),
];

describe.runIf(runsAgainst(RECORDED))(`recorded surfaces${missingNote(RECORDED)}`, () => {
  it("of one server differ from themselves in nothing", () => {
    expect(recordings().length).toBeGreaterThanOrEqual(15);
    const differing = recordings().filter(
      (file) => diffSurfaces(recorded(file), recorded(file)).length > 0,
    );
    expect(differing).toEqual([]);
  });

  describe("of two consecutive versions of playwright", () => {
    const WRITERS = [
      "browser_console_messages",
      "browser_evaluate",
      "browser_network_requests",
      "browser_network_request",
      "browser_run_code_unsafe",
      "browser_take_screenshot",
      "browser_snapshot",
    ];

    it("two tools came, one that reads and one that may destroy; none went, and no hint changed", () => {
      const changes = diffSurfaces(...versions());
      expect(changes.slice(0, 2)).toMatchObject([
        {
          grade: "loosened",
          field: "/tools/browser_webmcp_list",
          after: expect.stringContaining(
            '"destructiveHint":false,"openWorldHint":true,"readOnlyHint":true',
          ),
        },
        {
          grade: "loosened",
          field: "/tools/browser_webmcp_call",
          after: expect.stringContaining(
            '"destructiveHint":true,"openWorldHint":true,"readOnlyHint":false',
          ),
        },
      ]);
      expect(changes[1]?.after).toContain("The tool output is page-provided and untrusted");
      expect(changes.map(({ grade }) => grade)).not.toContain("hint_weakened");
      expect(changes.slice(0, 2).map(({ before }) => before)).toEqual([undefined, undefined]);
    });

    it("seven tools say where the files go that they write or read, and nothing else of them changed", () => {
      const words = diffSurfaces(...versions()).slice(2);
      expect(words.map(({ grade, field }) => `${grade} ${field}`)).toEqual(
        WRITERS.map((name) => `prose /tools/${name}/inputSchema/properties/filename/description`),
      );
      for (const { before, after } of words) {
        expect(after).toContain("Relative file names are resolved against the workspace root.");
        expect(before).not.toContain("workspace root");
      }
      // One of them asked for names within the output folder before, and does so no more.
      const screenshot = words.find(({ field }) => field.includes("take_screenshot"));
      expect(screenshot?.before).toContain("to stay within the output directory");
      expect(screenshot?.after).not.toContain("to stay within");
    });

    it("a hint weakened in the same release would stand before all of that", () => {
      const [old, now] = versions();
      const place = now.tools.findIndex(({ name }) => name === "browser_run_code_unsafe");
      const path = [place, "annotations", "destructiveHint"];
      const [first, ...others] = diffSurfaces(old, {
        ...now,
        tools: withValue([...now.tools], path, false),
      });
      expect(first).toEqual({
        grade: "hint_weakened",
        field: "/tools/browser_run_code_unsafe/annotations/destructiveHint",
        before: "true",
        after: "false",
      });
      expect(others).toEqual(diffSurfaces(old, now));
    });
  });

  it("of lark: the exception's text shows where its code point hides", () => {
    const [old] = recordings().filter((file) => file.includes("lark-mcp"));
    const lark = recorded(old ?? "");
    const changes = diffSurfaces({ ...lark, tools: [] }, lark);
    expect(changes.filter(({ after }) => after?.includes("⟨U+200B⟩"))).toMatchObject([
      { grade: "loosened", field: "/tools/im_v1_message_list" },
    ]);
    expect(JSON.stringify(changes)).not.toContain("\u200b");
  });

  it("of one version in two folders: a text of the host, and nothing else", () => {
    const changes = diffSurfaces(
      recorded("figma-developer-mcp@0.13.2.jsonl"),
      recorded("variant.figma-developer-mcp@0.13.2__other-cwd.json"),
    );
    expect(changes.map(({ grade, field }) => `${grade} ${field}`)).toEqual([
      "looks_host_dependent /tools/download_figma_images/description",
    ]);
    expect(changes[0]?.before).toMatch(/image directory: <CWD>$/);
    expect(changes[0]?.after).toMatch(/image directory: \/srv\/other\/deep dir\//);
  });
});
