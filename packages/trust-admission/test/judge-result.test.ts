/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { bytesOf, type Version } from "@eve/test-kit";
import {
  type Admission,
  judgeParsedResult,
  judgeResult,
  MAX_RESULT_BYTES,
} from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admissionOf, asReviewed, goodWorld, type World, withSurface } from "./world.ts";

const world = (version: Version = "2025-11-25"): World => goodWorld({}, version);
const ADMISSION = admissionOf(world());
const MODERN = admissionOf(world("2026-07-28"));
/** The tool whose output schema was left out. */
const FREE = admissionOf(
  asReviewed(withSurface(world(), ["tools", 0, "outputSchema"], () => undefined)),
);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = [{ type: "text", text: "done" }];
const good: JsonObject = { content: text, structuredContent: { status: "ok" } };
/** What the entry and the surface name. */
const LINKS = {
  origins: new Set(["https://notes.eve.example", "http://127.0.0.1:8080"]),
  schemes: new Set(["notes", "file", "javascript", "https"]),
};
const codeOf = (result: JsonValue | Uint8Array, admission = ADMISSION): string => {
  const bytes = result instanceof Uint8Array ? result : bytesOf(result);
  const verdict = judgeResult(admission, "list_notes", bytes, LINKS);
  return verdict.ok ? verdict.kind : verdict.refusals.map(({ code }) => code).join(", ");
};

describe("a result is handed on", () => {
  it.each<readonly [string, JsonValue, Admission]>([
    ["that matches the output schema", good, ADMISSION],
    ["with fields that the schema leaves open", { ...good, _meta: {}, future: 1 }, ADMISSION],
    ["of structured content alone", { structuredContent: { status: "ok" } }, ADMISSION],
    [
      "of an error, whatever its structured content",
      { content: text, isError: true, structuredContent: { no: 1 } },
      ADMISSION,
    ],
    ["of an error without structured content", { content: text, isError: true }, ADMISSION],
    ["without an output schema", { content: text }, FREE],
    [
      "without an output schema, with structured content",
      { content: [], structuredContent: { any: 1 } },
      FREE,
    ],
    ["that says it is complete", { ...good, resultType: "complete" }, MODERN],
  ])("%s", (_title, result, admission) => {
    expect(codeOf(result, admission)).toBe("complete");
  });

  it("that asks for input, in the era that has it", () => {
    expect(codeOf({ resultType: "input_required", requestState: "x" }, MODERN)).toBe(
      "input_required",
    );
  });
});

const link = (uri: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: "resource_link",
  name: "report",
  uri,
  ...more,
});
const resource = (uri: JsonValue): JsonObject => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: "…" },
});
const icon = (src: JsonValue): JsonObject => link("notes://1", { icons: [{ src }] });

describe("the links of a result", () => {
  it.each<readonly [string, JsonObject]>([
    ["to a declared destination", link("https://notes.eve.example/a?b#c")],
    ["to a declared destination, written otherwise", link("HTTPS://NOTES.eve.example:443/a")],
    ["to a declared destination on loopback", link("http://127.0.0.1:8080/a")],
    ["of a scheme that was reviewed", link("notes://all")],
    ["of such a scheme, in capitals and with letters beyond ASCII", link("NOTES://größe und mehr")],
    ["of an embedded resource with such a scheme", resource("notes://all")],
    ["of an icon at a declared destination", icon("https://notes.eve.example/a.png")],
    ["of an icon in the text itself", icon("data:image/png;base64,iVBORw0KGgo=")],
  ])("%s are handed on", (_title, block) => {
    expect(codeOf({ ...good, content: [...text, block] })).toBe("complete");
  });

  const bad: readonly (readonly [string, JsonValue])[] = [
    ["to the client's files", "file:///etc/passwd"],
    ["to the client's files, in capitals", "FILE:///etc/passwd"],
    ["to a script", "javascript:alert(1)"],
    ["to a script that a browser reads through a line end", "java\nscript:alert(1)"],
    ["to a script behind a blank", " javascript:alert(1)"],
    ["to a script behind what nobody sees", "\u200bjavascript:alert(1)"],
    ["to a page in the address itself", "data:text/html,<script>"],
    ["to a blob", "blob:https://notes.eve.example/1"],
    ["to another origin", "https://evil.example/notes"],
    ["to another port", "https://notes.eve.example:8443/"],
    ["to the same host without TLS", "http://notes.eve.example/"],
    ["to a destination as a user", "https://admin@notes.eve.example/"],
    ["to a host that begins as a destination", "https://notes.eve.example.evil.example/"],
    ["to a host behind a backslash", "https://evil.example\\@notes.eve.example/"],
    ["without a scheme", "//evil.example/x"],
    ["of a path alone", "/etc/passwd"],
    ["of a scheme that nobody reviewed", "vscode://evil/open"],
    ["to a socket", "wss://notes.eve.example/"],
    ["to nothing", ""],
    ["that are no text", 7],
  ];
  it.each(bad)("%s are not handed on (SR-02): call.result_invalid", (_title, uri) => {
    for (const block of [link(uri), resource(uri), icon(uri)])
      for (const isError of [false, true])
        expect(codeOf({ ...good, content: [...text, block], isError })).toBe("call.result_invalid");
  });

  it("in an icon that is no plain image are not handed on: call.result_invalid", () => {
    for (const icons of ["https://notes.eve.example/a.png", [null], [{}]] as const)
      expect(codeOf({ ...good, content: [link("notes://1", { icons })] })).toBe(
        "call.result_invalid",
      );
  });

  it("lead nowhere where nobody says where they may: call.result_invalid", () => {
    const content = [link("https://notes.eve.example/")];
    expect(judgeParsedResult(ADMISSION, "list_notes", { ...good, content })).toMatchObject({
      refusals: [{ code: "call.result_invalid" }],
    });
  });
});

describe("a text beside structured content", () => {
  const structuredContent = {
    status: "ok",
    count: 10,
    items: [{ id: "a", tags: ["x"] }, { id: "b" }],
    raw: '{"any":"file"}',
  };
  const said = (...texts: readonly string[]): string =>
    codeOf({ structuredContent, content: texts.map((each) => ({ type: "text", text: each })) });

  it.each<readonly [string, string]>([
    ["that is prose", "Ten notes, two of them shown."],
    ["that looks like JSON and is none", "[1] see the notes; {sic}"],
    ["that is a scalar", '"not ok"'],
    ["that is the same JSON", JSON.stringify(structuredContent)],
    [
      "that is the same JSON, written otherwise",
      JSON.stringify({ ...structuredContent, status: "ok" }, null, 2).replace("10", "1e1"),
    ],
    ["that is a part of it", '{"id":"a","tags":["x"]}'],
    ["that is a list in it", JSON.stringify(structuredContent.items)],
    ["that selects some of its members", '{"count":10,"status":"ok"}'],
    ["that is a text in it, JSON or not", '{"any":"file"}'],
  ])("%s is handed on", (_title, each) => {
    expect(said("Listed.", each)).toBe("complete");
  });

  it.each<readonly [string, string]>([
    ["that says another value", '{"status":"shipped","count":10}'],
    ["that says more", '{"status":"ok","approved":true}'],
    ["that says it as a list", '["ok"]'],
    ["that says nothing", "{}"],
    ["that says it behind blanks", ' \n{"status":"shipped"}'],
    ["that says it behind what readers trim", '\uFEFF\u00a0{"status":"shipped"}'],
    ["that two readers read apart", '{"status":"shipped","status":"ok"}'],
    ["that reaches a prototype", '{"status":"ok","__proto__":{"approved":true}}'],
  ])("%s is not handed on (SR-01): call.result_invalid", (_title, each) => {
    expect(said("Listed.", each)).toBe("call.result_invalid");
  });

  it("and ten thousand of them beside a large structure cost no more than reading them", () => {
    const items = Array.from({ length: 20_000 }, (_, n) => ({ n, of: "x".repeat(50) }));
    const content = items
      .slice(0, 10_000)
      .map((each) => ({ type: "text", text: JSON.stringify(each) }));
    const structured = { status: "ok", items };
    const before = performance.now();
    expect(codeOf({ structuredContent: structured, content })).toBe("complete");
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(
      codeOf({
        structuredContent: structured,
        content: [...content, { type: "text", text: "[0]" }],
      }),
    ).toBe("call.result_invalid");
  });

  it("of an error is not compared: its structured content is not judged either", () => {
    const content = [{ type: "text", text: '{"status":"shipped"}' }];
    expect(codeOf({ structuredContent, content, isError: true })).toBe("complete");
  });

  it("is told without a word of the server in the refusal", () => {
    const content = [
      { type: "text", text: '{"status":"ignore previous"}' },
      link("file:///SERVER"),
    ];
    expect(
      JSON.stringify(judgeParsedResult(ADMISSION, "list_notes", { structuredContent, content })),
    ).not.toMatch(/ignore previous|SERVER/);
  });
});

describe("a result is refused", () => {
  it.each<readonly [string, JsonValue, Admission]>([
    ["without the structured content that the schema asks for", { content: text }, ADMISSION],
    ["with isError false and no structured content", { content: text, isError: false }, ADMISSION],
    [
      "with structured content of another form (SR-01)",
      { content: text, structuredContent: { status: 7 } },
      ADMISSION,
    ],
    ["with isError that is no boolean", { ...good, isError: "true" }, ADMISSION],
    ["whose content is no list", { ...good, content: "done" }, ADMISSION],
    ["with a block that has no type", { ...good, content: [{ text: "x" }] }, ADMISSION],
    ["without any content", {}, FREE],
    ["with structured content that is no object", { content: text, structuredContent: [1] }, FREE],
    ["of an unknown type (SR-07, MUST-CL-21)", { ...good, resultType: "partial" }, MODERN],
    [
      "that asks for input where no era has it",
      { ...good, resultType: "input_required" },
      ADMISSION,
    ],
    ["that is no object", [good], ADMISSION],
  ])("%s: call.result_invalid", (_title, result, admission) => {
    expect(codeOf(result, admission)).toBe("call.result_invalid");
  });

  it.each<readonly [string, string]>([
    ["with a name twice", '{"structuredContent":{"status":"ok","status":"no"}}'],
    [
      "with a name that reaches a prototype",
      '{"structuredContent":{"status":"ok"},"__proto__":{}}',
    ],
    [
      "with a number that a double changes",
      '{"structuredContent":{"status":"ok","n":9007199254740993}}',
    ],
    ["with half of a surrogate pair", '{"structuredContent":{"status":"\\udc00"}}'],
    ["with a byte order mark", '\uFEFF{"structuredContent":{"status":"ok"}}'],
    ["that is cut", '{"structuredContent":{"status":"ok"}'],
  ])("%s: call.result_invalid", (_title, source) => {
    expect(codeOf(utf8(source))).toBe("call.result_invalid");
  });

  it("with more bytes than anybody reads: call.result_invalid", () => {
    expect(codeOf(new Uint8Array(MAX_RESULT_BYTES + 1).fill(0x20))).toBe("call.result_invalid");
  });

  it("of a tool that is not pinned: call.tool_unpinned", () => {
    expect(judgeResult(ADMISSION, "constructor", bytesOf(good))).toMatchObject({
      refusals: [{ code: "call.tool_unpinned" }],
    });
  });

  it("for a copy of an admission: admission.forged", () => {
    expect(judgeParsedResult({ ...ADMISSION }, "list_notes", good)).toMatchObject({
      refusals: [{ code: "admission.forged" }],
    });
  });

  it("without a word of the server in the refusal", () => {
    const hostile = { content: text, structuredContent: { status: { "ignore previous": 1 } } };
    expect(JSON.stringify(judgeParsedResult(ADMISSION, "list_notes", hostile))).not.toContain(
      "ignore",
    );
  });
});

it("never throws, and is the same for bytes and for their value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (any) => {
      const value = any as JsonValue;
      const verdict = judgeResult(ADMISSION, "list_notes", bytesOf(value));
      expect(
        judgeParsedResult(ADMISSION, "list_notes", JSON.parse(JSON.stringify(value)) as JsonValue)
          .ok,
      ).toBe(verdict.ok);
    }),
  );
  expect(judgeResult(ADMISSION, "list_notes", undefined as unknown as Uint8Array)).toMatchObject({
    refusals: [{ code: "internal.error" }],
  });
});
