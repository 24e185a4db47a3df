import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Surface } from "../src/index.ts";
import { findHiddenText } from "../src/text/hidden-text.ts";

const surface = (members: Partial<Surface>): Surface => ({
  protocolVersion: "2025-11-25",
  instructions: undefined,
  capabilities: undefined,
  tools: [],
  prompts: undefined,
  resources: undefined,
  resourceTemplates: undefined,
  ...members,
});
const described = (description: string): Surface =>
  surface({ tools: [{ name: "read", description }] });
const pointsIn = (text: string): readonly string[] =>
  [...findHiddenText(described(text))].flatMap(({ codePoints }) => codePoints);

describe("text that hides something", () => {
  it.each([
    ["ST-04 a zero-width space", "a\u200bb", ["U+200B"]],
    [
      "ST-04 a word joiner, a byte order mark, a soft hyphen",
      "\u2060\ufeff\u00ad",
      ["U+00AD", "U+2060", "U+FEFF"],
    ],
    ["ST-05 tag letters", "\u{e0001}\u{e0041}\u{e007f}", ["U+E0001", "U+E0041", "U+E007F"]],
    ["ST-07 escape sequences", "\u001b[2K\u001b[1A\u0007", ["U+0007", "U+001B"]],
    ["ST-07 a carriage return", "good\rbad", ["U+000D"]],
    ["a second set of control characters", "\u0085\u009b", ["U+0085", "U+009B"]],
    ["bidirectional overrides", "\u202e\u2066\u200f", ["U+200F", "U+202E", "U+2066"]],
    ["separators of lines and paragraphs", "\u2028\u2029", ["U+2028", "U+2029"]],
    ["variation selectors, of both blocks", "a\ufe00b\u{e0100}", ["U+FE00", "U+E0100"]],
    [
      "fillers and a blank that is a letter",
      "\u3164\u115f\u2800\uffa0",
      ["U+115F", "U+2800", "U+3164", "U+FFA0"],
    ],
    ["a private letter", "\ue000", ["U+E000"]],
    ["a null", "\u0000", ["U+0000"]],
  ])("is found: %s", (_, text, points) => {
    expect(pointsIn(text)).toEqual(points);
  });

  it.each([
    ["plain words", "Reads one item, its notes and its history."],
    ["line feeds and tabs", "a\n\tb"],
    ["other scripts", "高德地图 — кириллица, العربية, ภาษาไทย, हिन्दी"],
    ["a visible emoji and a narrow space", "🚀 5 €"],
    ["nothing", ""],
  ])("is not seen in %s", (_, text) => {
    expect(pointsIn(text)).toEqual([]);
  });
});

describe("where it is found", () => {
  const HIDDEN = "\u200b";

  it.each([
    ["instructions", { instructions: HIDDEN }, "/instructions"],
    ["a capability's name", { capabilities: { [HIDDEN]: {} } }, `/capabilities/${HIDDEN}`],
    ["a tool, by its name", { tools: [{ name: "a/b~c", title: HIDDEN }] }, "/tools/a~1b~0c/title"],
    ["a tool without a name, by its place", { tools: [{}, { title: HIDDEN }] }, "/tools/1/title"],
    [
      "a name of a property",
      { tools: [{ name: "a", inputSchema: { properties: { [HIDDEN]: {} } } }] },
      `/tools/a/inputSchema/properties/${HIDDEN}`,
    ],
    [
      "a value in a list",
      { tools: [{ name: "a", inputSchema: { enum: ["x", HIDDEN] } }] },
      "/tools/a/inputSchema/enum/1",
    ],
    ["a prompt", { prompts: [{ name: "p", description: HIDDEN }] }, "/prompts/p/description"],
    [
      "a resource, by its URI",
      { resources: [{ uri: "file:///x", name: HIDDEN }] },
      "/resources/file:~1~1~1x/name",
    ],
    [
      "a template",
      { resourceTemplates: [{ uriTemplate: "f:{x}", name: HIDDEN }] },
      "/resourceTemplates/f:{x}/name",
    ],
  ])("is told: %s", (_, members, field) => {
    expect([...findHiddenText(surface(members))]).toEqual([{ field, codePoints: ["U+200B"] }]);
  });

  it("is any leaf of a surface", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, place) => {
        const text = JSON.stringify(value);
        const at = place % (text.length + 1);
        const found = [...findHiddenText(described(`${text.slice(0, at)}\u2062${text.slice(at)}`))];
        expect(found.flatMap(({ codePoints }) => codePoints)).toContain("U+2062");
      }),
    );
  });
});
