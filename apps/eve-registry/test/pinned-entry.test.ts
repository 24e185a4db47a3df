import { describe, expect, test } from "vitest";
import { GOOD_TOOLS, goodEntry, goodSurface, NOW, valueAt, VERSIONS } from "@eve/test-kit";
import { pinSurfaces } from "../src/pinned-entry.ts";
import { surfacesWithTool } from "./server-script.ts";

const entry = goodEntry({ now: NOW });
const tools = GOOD_TOOLS.map(({ name, riskClass, permissions }) => ({
  name,
  riskClass,
  permissions,
}));
const capabilities = { roots: { listChanged: true } };
const surfaces = VERSIONS.map(goodSurface);

describe("pins of measured surfaces", () => {
  test("are those of an entry that was written by another hand", () => {
    const pinned = pinSurfaces(tools, capabilities, surfaces);
    expect({ ...pinned }).toEqual({ tools: entry["tools"], surface: entry["surface"] });
  });

  test("leave class, permissions and order of the tools as the entry has them", () => {
    const pinned = pinSurfaces(tools.toReversed(), capabilities, surfaces);
    expect(pinned.tools.map(({ name }) => name)).toEqual(
      tools.map(({ name }) => name).toReversed(),
    );
    expect(valueAt(pinned.tools, [0])).toMatchObject({
      riskClass: "publish",
      permissions: ["notes:publish"],
    });
  });

  test.each([
    [
      "a tool that the entry does not know",
      tools.slice(1),
      surfaces,
      /shows tools the entry does not have: list_notes\. Give each/,
    ],
    [
      "a tool that is gone",
      [...tools, { name: "gone", riskClass: "read", permissions: ["notes:read"] }],
      surfaces,
      /no longer shows gone\. Remove them/,
    ],
    [
      "a tool that one version lacks",
      tools,
      [
        goodSurface("2025-11-25"),
        { ...goodSurface("2026-07-28"), tools: goodSurface("2026-07-28").tools.slice(1) },
      ],
      /In 2026-07-28 the server no longer shows list_notes/,
    ],
    [
      "a schema that differs between versions",
      tools,
      surfacesWithTool("get_note", (tool) =>
        "icons" in tool ? { ...tool, inputSchema: { type: "object" } } : tool,
      ),
      /Tool get_note shows another inputSchema/,
    ],
    [
      "a name of a server's own making",
      tools,
      surfacesWithTool("get_note", (tool) => ({ ...tool, name: "SERVER TEXT" })),
      /does not have: <unprintable name, sha256 [0-9a-f]{16}>\./,
    ],
  ])("refuse %s", (_title, known, live, message) => {
    expect(() => pinSurfaces(known, capabilities, live)).toThrow(message);
  });
});
