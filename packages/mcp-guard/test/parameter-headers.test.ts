import type { JsonObject } from "@eve/canonical-json";
import { describe, expect, it } from "vitest";
import { parameterHeaders } from "../src/parameter-headers.ts";

const region: JsonObject = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    where: {
      type: "object",
      properties: { shard: { type: "integer", "x-mcp-header": "Shard" } },
    },
    dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
    note: { type: "string" },
  },
};
const withProperty = (property: JsonObject): JsonObject => ({
  properties: { a: { type: "string", "x-mcp-header": "A" }, b: property },
});

describe("headers that repeat arguments (MUST-CL-18)", () => {
  it("are those that the schema declares, and whose argument is there", () => {
    expect(
      parameterHeaders(region, { region: "eu-1", where: { shard: 7 }, dry: false, note: "x" }),
    ).toEqual({ "mcp-param-region": "eu-1", "mcp-param-shard": "7", "mcp-param-dry-run": "false" });
    expect(parameterHeaders(region, {})).toEqual({});
    expect(parameterHeaders({ type: "object" }, { region: "x" })).toEqual({});
  });

  it.each([
    ["plain text", "a b", "a b"],
    ["what is not ASCII", "Zürich", "=?base64?WsO8cmljaA==?="],
    ["a line break", "a\r\nx: y", "=?base64?YQ0KeDogeQ==?="],
    ["blanks at an end", " a", "=?base64?IGE=?="],
    ["nothing", "", "=?base64??="],
    ["what reads as encoded", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
  ])("carry %s so that a server reads the same", (_title, value, header) => {
    expect(parameterHeaders(region, { region: value })).toEqual({ "mcp-param-region": header });
  });

  it.each<readonly [string, JsonObject]>([
    ["a name that is no token", { type: "string", "x-mcp-header": "a b" }],
    ["a name with a line break", { type: "string", "x-mcp-header": "a\r\nb" }],
    ["no name", { type: "string", "x-mcp-header": "" }],
    ["a name that is no text", { type: "string", "x-mcp-header": 7 }],
    ["a name used twice in another case", { type: "string", "x-mcp-header": "a" }],
    ["an object", { type: "object", "x-mcp-header": "B" }],
    ["a number", { type: "number", "x-mcp-header": "B" }],
    ["no type", { "x-mcp-header": "B" }],
  ])("are none where the schema declares %s", (_title, property) => {
    expect(parameterHeaders(withProperty(property), { a: "x" })).toBeUndefined();
  });
});
