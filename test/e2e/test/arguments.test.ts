import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inputSchemas } from "@eve/bff";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Shows the tools that the built workbench lists under its registry, and nothing else. */
const SURFACE = ["build/surface-server.js", "dist/registry.json"].map((file) =>
  join(root, "apps/workbench-mcp", file),
);

type Schema = Readonly<Record<string, unknown>>;

const NAMES = [
  "workbench_add_note",
  "workbench_claim_item",
  "workbench_get_item",
  "workbench_list_items",
  "workbench_ship_item",
  "workbench_submit_change",
  "workbench_verify_item",
];

/** What a schema lets in: without its words, which are for the model, and without defaults, which narrow nothing. */
function judged(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(judged);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !["$schema", "title", "description", "default"].includes(key))
      .map(([key, value]) => [
        key,
        key === "properties"
          ? judgedEach(value)
          : key === "required"
            ? sorted(value)
            : judged(value),
      ]),
  );
}

/** The names of properties are no keywords: one may be called `title`. */
function judgedEach(properties: object): unknown {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, judged(schema)]),
  );
}

const sorted = (names: unknown): unknown =>
  Array.isArray(names) ? names.map(String).toSorted() : names;

/** A listed input schema without the consent id, which travels beside the arguments and is never among them. */
function withoutConsent(schema: Schema): Schema {
  const { consentId, ...properties } = objectAt(schema, "properties");
  return consentId === undefined ? schema : { ...schema, properties };
}

function objectAt(schema: Schema, key: string): Schema {
  const value = schema[key];
  return typeof value === "object" && value !== null ? { ...value } : {};
}

async function listed(): Promise<ReadonlyMap<string, Schema>> {
  const client = new Client({ name: "eve-e2e", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: SURFACE }));
  try {
    const { tools } = await client.listTools();
    return new Map(tools.map(({ name, inputSchema }) => [name, { ...inputSchema }]));
  } finally {
    await client.close();
  }
}

describe("the arguments that the backend takes are those that the workbench lists", () => {
  let workbench: ReadonlyMap<string, Schema> = new Map();
  const backend = inputSchemas();
  beforeAll(async () => {
    workbench = await listed();
  });

  test("for the same seven tools", () => {
    expect([...workbench.keys()].toSorted()).toEqual(NAMES);
    expect([...backend.keys()].toSorted()).toEqual(NAMES);
  });

  test.each(NAMES)(
    "of %s: names, which are required, enumerations, patterns and bounds",
    (name) => {
      const schema = workbench.get(name) ?? {};
      expect(Object.keys(objectAt(schema, "properties"))).not.toEqual([]);
      expect(schema["additionalProperties"]).toBe(false);
      expect(judged(backend.get(name))).toEqual(judged(withoutConsent(schema)));
    },
  );

  test("with a consent id beside those of the two that publish, and of no other", () => {
    const asking = NAMES.filter(
      (name) => "consentId" in objectAt(workbench.get(name) ?? {}, "properties"),
    );
    expect(asking).toEqual(["workbench_ship_item", "workbench_verify_item"]);
  });
});
