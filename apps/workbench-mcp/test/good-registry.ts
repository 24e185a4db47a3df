import { type JsonObject, canonicalJson } from "@eve/canonical-json";
import {
  CONTRACT,
  type Entry,
  type Registry,
  type RiskClass,
  addCalendarMonths,
  formatInstant,
  parseRegistry,
  reviewSubject,
} from "@eve/registry-schema";
import { type Standing, surfacePins } from "@eve/trust-admission";
import { INTEGRATION, TOKEN_VARIABLE, URL_VARIABLE, WORKBENCH_VERSION } from "../src/identity.ts";
import { measureSurface } from "../src/measure-surface.ts";
import { ERA_VERSION, type Era } from "../src/protocol-era.ts";
import type { RiskClasses } from "../src/server-factory.ts";
import { TOOLS } from "../src/tools/index.ts";

/** The moment of the tests; every instant of a good registry is set from it. */
export const NOW: number = Date.parse("2026-12-01T12:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** DESIGN.md's table of tools. */
export const RISK_CLASSES: RiskClasses = new Map<string, RiskClass>([
  ["workbench_list_items", "read"],
  ["workbench_get_item", "read"],
  ["workbench_claim_item", "write"],
  ["workbench_add_note", "write"],
  ["workbench_submit_change", "write"],
  ["workbench_ship_item", "publish"],
  ["workbench_verify_item", "publish"],
]);

/** A standing observation that a good registry admits. */
export const STANDING: Standing = {
  integration: INTEGRATION,
  source: {
    how: "measured",
    value: {
      origin: "first-party",
      sha256: "a".repeat(64),
      artifacts: [{ path: "dist/main.js", sha256: "b".repeat(64) }],
    },
  },
  version: { how: "measured", value: WORKBENCH_VERSION },
  transport: {
    how: "measured",
    value: {
      type: "stdio",
      command: "node",
      args: ["main.js"],
      env: [URL_VARIABLE, TOKEN_VARIABLE],
    },
  },
};

/** A raw entry that is a local workbench reached at `origin`, with pins measured from the definitions themselves. */
export async function goodEntry(origin = "http://127.0.0.1:8787"): Promise<JsonObject> {
  const pins = { legacy: await pinsIn("legacy"), modern: await pinsIn("modern") };
  const tools = TOOLS.map(({ name }, i) => toolEntry(name, pins, i));
  const deployment = origin.startsWith("https:") ? "production" : "local-development";
  const entry: JsonObject = {
    id: INTEGRATION,
    kind: "mcp-server",
    origin: "first-party",
    deployment,
    protocol: { name: "mcp", versions: Object.values(ERA_VERSION) },
    owner: { team: "oshun-workbench", contact: "oshun-workbench@eve.example" },
    source: {
      path: "apps/workbench-mcp",
      version: WORKBENCH_VERSION,
      sha256: "a".repeat(64),
      artifacts: [{ path: "dist/main.js", sha256: "b".repeat(64) }],
    },
    transport: {
      type: "stdio",
      command: "node",
      args: ["main.js"],
      env: [URL_VARIABLE, TOKEN_VARIABLE],
    },
    riskClass: "publish",
    permissions: ["workbench:read", "workbench:write", "workbench:publish"],
    tools,
    surface: { observedWith: { clientCapabilities: {} }, ...serverPins(pins) },
    credentials: [
      {
        id: "workbench-bearer",
        env: TOKEN_VARIABLE,
        scopes: ["workbench:read", "workbench:write", "workbench:publish"],
        destinations: [origin],
      },
    ],
    configuration: [{ env: URL_VARIABLE, required: true }],
    destinations: [{ origin, dataClasses: ["work-item", "actor-id"] }],
    lifecycle: { state: "active", since: at(-30 * DAY), reason: "In use by coding agents" },
    health: { status: "healthy", ...span("observedAt", 30 * DAY), evidence: evidence("health") },
    evaluation: { status: "passed", ...span("observedAt"), evidence: evidence("evaluation") },
    review: {
      basis: "reviewed",
      reviewer: "eve-security",
      ...span("reviewedAt"),
      subject: "",
      evidence: evidence("review"),
    },
  };
  return withSubject(entry);
}

/** Writes what the review of this entry would state. */
export function withSubject(entry: JsonObject): JsonObject {
  return {
    ...entry,
    review: { ...memberOf(entry, "review"), subject: reviewSubject(entry) },
  };
}

/** The member of an entry that is an object. */
export function memberOf(raw: JsonObject, name: string): JsonObject {
  const value = raw[name];
  if (typeof value !== "object" || value === null) throw new TypeError(`no object ${name}`);
  return Object.fromEntries(Object.entries(value));
}

/** A copy of an entry with each tool's pins changed. */
export function withPins(raw: JsonObject, change: (pins: JsonObject) => JsonObject): JsonObject {
  const tools = Object.values(memberOf(raw, "tools")).map((tool) =>
    Object.fromEntries(Object.entries(tool ?? {})),
  );
  return {
    ...raw,
    tools: tools.map((tool) => ({ ...tool, pins: change(memberOf(tool, "pins")) })),
  };
}

/** The bytes of a registry with these raw entries. */
export function registryBytes(entries: readonly JsonObject[], sequence = 1): Uint8Array {
  const gates = [
    ["4.8", "release"],
    ["12.7", "red-team"],
    ["13.7", "operations"],
    ["14.7", "privacy"],
  ] as const;
  const dependencyGates = gates.map(([task, subject]) => ({ task, subject, status: "unmet" }));
  return Buffer.from(
    canonicalJson({ contract: CONTRACT, sequence, dependencyGates, integrations: entries }),
  );
}

/** Parses; throws where a test's own builder is wrong. */
export function parsed(bytes: Uint8Array): Registry {
  const result = parseRegistry(bytes);
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.registry;
}

/** The complete entry of a raw one. */
export function entryOf(raw: JsonObject): Entry {
  const record = parsed(registryBytes([raw])).integrations.get(INTEGRATION);
  if (record?.status !== "complete") throw new Error(JSON.stringify(record));
  return record.entry;
}

type EraPins = Readonly<Record<Era, ReturnType<typeof surfacePins>>>;

async function pinsIn(era: Era): Promise<ReturnType<typeof surfacePins>> {
  const observed = await measureSurface({ tools: TOOLS, riskClasses: RISK_CLASSES }, era);
  if (!observed.ok) throw new Error(JSON.stringify(observed.refusals));
  return surfacePins(observed.surface);
}

function toolEntry(name: string, pins: EraPins, i: number): JsonObject {
  const legacy = pins.legacy.tools[i]?.pins;
  const modern = pins.modern.tools[i]?.pins;
  const riskClass = RISK_CLASSES.get(name) ?? "";
  return {
    name,
    riskClass,
    permissions: [`workbench:${riskClass}`],
    pins: {
      inputSchema: legacy?.inputSchema ?? "",
      description: legacy?.description ?? "",
      definition: {
        [ERA_VERSION.legacy]: legacy?.definition ?? "",
        [ERA_VERSION.modern]: modern?.definition ?? "",
      },
    },
  };
}

function serverPins(pins: EraPins): JsonObject {
  const of = ({ instructions, capabilities, prompts, resources }: EraPins[Era]): JsonObject => ({
    instructions,
    capabilities,
    prompts,
    resources,
  });
  return { [ERA_VERSION.legacy]: of(pins.legacy), [ERA_VERSION.modern]: of(pins.modern) };
}

function span(from: "observedAt" | "reviewedAt", ms?: number): JsonObject {
  const start = NOW - HOUR;
  return {
    [from]: formatInstant(start),
    expiresAt: formatInstant(ms === undefined ? addCalendarMonths(start, 6) : start + ms),
  };
}

function evidence(kind: string): JsonObject {
  return { path: `evidence/${INTEGRATION}/${kind}/report.json`, sha256: "c".repeat(64) };
}

function at(offset: number): string {
  return formatInstant(NOW + offset);
}
