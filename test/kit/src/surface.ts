import type { JsonObject, JsonValue } from "@eve/canonical-json";

/** The two protocol versions that good entries admit: the last of each era. */
export const VERSIONS = ["2025-11-25", "2026-07-28"] as const;
export type Version = (typeof VERSIONS)[number];

/** A tool's class in the kit's own table. */
export type KitRiskClass = "read" | "write" | "publish" | "destructive";

/** What a server shows, raw; `undefined` is a member that is not there. */
export interface KitSurface {
  readonly protocolVersion: string;
  readonly instructions: JsonValue | undefined;
  readonly capabilities: JsonValue | undefined;
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[] | undefined;
  readonly resources: readonly JsonObject[] | undefined;
  readonly resourceTemplates: readonly JsonObject[] | undefined;
}

/** The classes and permissions of the tools that {@link goodSurface} lists, in its order. */
export const GOOD_TOOLS: readonly {
  readonly name: string;
  readonly riskClass: KitRiskClass;
  readonly permissions: readonly string[];
}[] = [
  { name: "list_notes", riskClass: "read", permissions: ["notes:read"] },
  { name: "get_note", riskClass: "read", permissions: ["notes:read"] },
  { name: "add_note", riskClass: "write", permissions: ["notes:read", "notes:write"] },
  { name: "ship_note", riskClass: "publish", permissions: ["notes:publish", "notes:write"] },
  { name: "unship_note", riskClass: "publish", permissions: ["notes:publish"] },
];

/** A PNG of one point. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const HINTS: Readonly<Record<KitRiskClass, JsonObject>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  publish: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  destructive: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
};

/** The annotations of a class, written a second time beside the table that is under test. */
export function hintsOf(riskClass: KitRiskClass): JsonObject {
  return HINTS[riskClass];
}

/** What a good server shows in one protocol version: five tools, instructions, capabilities, prompts, resources, templates. */
export function goodSurface(protocolVersion: string): KitSurface {
  return {
    protocolVersion,
    instructions: "Notes of one team. Read before you write.",
    capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: false } },
    tools: GOOD_TOOLS.map(({ name, riskClass }) => goodTool(name, riskClass, protocolVersion)),
    prompts: [
      {
        name: "summarize",
        description: "Summarizes notes",
        arguments: [{ name: "topic", required: true }],
      },
      { name: "review", description: "Reviews one note" },
    ],
    resources: [
      { uri: "notes://all", name: "all notes", mimeType: "application/json" },
      { uri: "notes://today", name: "today's notes" },
    ],
    resourceTemplates: [{ uriTemplate: "notes://{id}", name: "one note" }],
  };
}

/** One good raw tool, with the annotations of its class and fields that SDKs strip. */
export function goodTool(
  name: string,
  riskClass: KitRiskClass,
  protocolVersion: string,
): JsonObject {
  const isModern = protocolVersion >= "2026-07-28";
  return {
    name,
    title: `Tool ${name}`,
    description: `Does what ${name} says.`,
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", maxLength: 64 },
        dryRun: { type: "boolean", default: true },
        target: { enum: ["staging", "preview"] },
      },
      required: ["id", "target"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { status: { type: "string" } },
      required: ["status"],
    },
    annotations: HINTS[riskClass],
    ...(isModern
      ? { icons: [{ src: PIXEL, mimeType: "image/png" }] }
      : { execution: { taskSupport: "forbidden" } }),
    _meta: { "eve.example/revision": 3 },
  };
}
