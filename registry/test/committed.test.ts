import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "@eve/canonical-json";
import { fileURLToPath } from "node:url";
import {
  ENTRY_SCHEMA,
  MANIFEST_SCHEMA,
  parseRegistry,
  addCalendarMonths,
  HEALTH_WINDOW_MS,
  instantMs,
  type Entry,
  type ProtocolVersion,
} from "@eve/registry-schema";
import { type Surface, surfacePins } from "@eve/trust-admission";
import { describe, expect, test } from "vitest";
import {
  EXTERNAL_INTEGRATION_REGISTRY,
  externalIntegrationRegistryBytes,
  MCP_SERVER_INVENTORY,
} from "../src/index.ts";
import { assembleWithEvidence, evidenceReader, readSources } from "../src/sources.ts";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
/** The answers of each reviewed surface, one JSON-RPC result a line. */
function reviewedSurfaces(): readonly {
  readonly id: string;
  readonly version: ProtocolVersion;
  readonly entry: Entry;
  readonly answers: readonly JsonObject[];
}[] {
  return entries.flatMap((entry) =>
    entry.protocol.versions.map((version) => {
      const bytes =
        evidenceReader(folder)(`evidence/${entry.id}/review/surface-${version}.jsonl`) ??
        new Uint8Array();
      const lines = Buffer.from(bytes)
        .toString()
        .split("\n")
        .filter((line) => line !== "");
      return { id: entry.id, version, entry, answers: lines.map((line) => resultOf(line)) };
    }),
  );
}

function resultOf(line: string): JsonObject {
  const parsed = parseJson(Buffer.from(line));
  const message = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  return isJsonObject(message["result"]) ? message["result"] : {};
}

function surfaceOf(protocolVersion: string, answers: readonly JsonObject[]): Surface {
  const [opening = {}] = answers;
  const listed = (key: string): readonly JsonObject[] | undefined => {
    const lists = answers.flatMap((answer) => (isJsonArray(answer[key]) ? [answer[key]] : []));
    return lists.length === 0 ? undefined : lists.flat().filter((item) => isJsonObject(item));
  };
  return {
    protocolVersion,
    instructions: opening["instructions"],
    capabilities: opening["capabilities"],
    tools: listed("tools") ?? [],
    prompts: listed("prompts"),
    resources: listed("resources"),
    resourceTemplates: listed("resourceTemplates"),
  };
}

const read = readSources(folder);
const assembled = read.ok ? assembleWithEvidence(read.sources) : read;
const entries = assembled.ok
  ? [...assembled.registry.integrations.values()].flatMap((record) =>
      record.status === "complete" ? [record.entry] : [],
    )
  : [];

describe("Eve's registry as committed", () => {
  test("assembles, its evidence supports it, and every entry is complete (ADR-0092-208, ADR-0092-209, ADR-0092-210)", () => {
    expect(assembled).toMatchObject({ ok: true });
    expect(entries.length).toBeGreaterThan(0);
  });

  test("names in each source file the JSON Schema beside it, which is there", () => {
    const sources = ["registry.json", ...entries.map(({ id }) => `integrations/${id}.json`)];
    const referring = read.ok ? [...read.sources.referring] : [];
    expect(referring.toSorted()).toEqual(sources.toSorted());
    for (const { file } of [ENTRY_SCHEMA, MANIFEST_SCHEMA])
      expect(existsSync(join(folder, "schema", file))).toBe(true);
  });

  test("has no agent entry and no third party (ADR-0092-104, ADR-0092-233, ADR-0092-234)", () => {
    expect(entries.map(({ kind }) => kind)).not.toContain("agent");
    expect(entries.map(({ origin }) => origin)).not.toContain("third-party");
  });

  test("has all four dependency gates unmet", () => {
    expect(assembled.ok && assembled.registry.dependencyGates.map(({ status }) => status)).toEqual([
      "unmet",
      "unmet",
      "unmet",
      "unmet",
    ]);
  });

  test.each(entries)(
    "$id expires exactly 30 days after its health and six calendar months after evaluation and review (ADR-0092-228)",
    ({ health, evaluation, review }) => {
      expect(instantMs(health.expiresAt)).toBe(instantMs(health.observedAt) + HEALTH_WINDOW_MS);
      expect(instantMs(evaluation.expiresAt)).toBe(
        addCalendarMonths(instantMs(evaluation.observedAt), 6),
      );
      expect(instantMs(review.expiresAt)).toBe(addCalendarMonths(instantMs(review.reviewedAt), 6));
    },
  );

  test("names the workbench's seven tools with their classes, its credential's one destination and its data classes (ADR-0092-101, ADR-0092-103, ADR-0092-205, ADR-0092-206)", () => {
    const workbench = entries.find(({ id }) => id === "oshun-workbench");
    expect(workbench?.tools.map(({ name, riskClass }) => [name, riskClass])).toEqual([
      ["workbench_list_items", "read"],
      ["workbench_get_item", "read"],
      ["workbench_claim_item", "write"],
      ["workbench_add_note", "write"],
      ["workbench_submit_change", "write"],
      ["workbench_ship_item", "publish"],
      ["workbench_verify_item", "publish"],
    ]);
    expect(workbench?.credentials.flatMap(({ destinations }) => destinations)).toEqual([
      "https://workbench.eve.example",
    ]);
    expect(workbench?.destinations[0]?.dataClasses.length).toBeGreaterThan(0);
    expect(workbench?.review.reviewer).not.toBe(workbench?.owner.team);
  });
});

function allValues(value: JsonValue): readonly JsonValue[] {
  const children = typeof value === "object" && value !== null ? Object.values(value) : [];
  return [value, ...children.flatMap((child: JsonValue) => allValues(child))];
}

describe("the surface that was reviewed, kept raw", () => {
  test.each(reviewedSurfaces())(
    "gives the pins of $id in $version (ADR-0092-225)",
    ({ entry, version, answers }) => {
      const pins = surfacePins(surfaceOf(version, answers));
      const pinned = entry.tools.map(
        ({ name, pins: { inputSchema, description, definition } }) => ({
          name,
          pins: { inputSchema, description, definition: definition[version] },
        }),
      );
      expect(pins.tools).toEqual(pinned);
      const { tools: _, ...server } = pins;
      expect(server).toEqual(entry.surface[version]);
    },
  );
});

describe("what the package exports", () => {
  test("is one frozen object under both names (ADR-0092-201)", () => {
    expect(MCP_SERVER_INVENTORY).toBe(EXTERNAL_INTEGRATION_REGISTRY);
    const values = allValues(EXTERNAL_INTEGRATION_REGISTRY);
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter((value) => !Object.isFrozen(value))).toEqual([]);
  });

  test("is the same document that a program obeys, and a caller's copy of its bytes changes nothing", () => {
    externalIntegrationRegistryBytes().fill(0);
    const parsed = parseRegistry(externalIntegrationRegistryBytes());
    expect(parsed.ok && parsed.registry.sequence).toBe(EXTERNAL_INTEGRATION_REGISTRY["sequence"]);
  });
});
