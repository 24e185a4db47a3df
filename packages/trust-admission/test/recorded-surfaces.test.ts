import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "@eve/canonical-json";
import { missingNote, runsAgainst } from "@eve/config/shared-folder";
import { goodEntry, leavesOf, NOW, type Path, renewed, valueAt, withValue } from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Observation, type Surface, surfacePins } from "../src/index.ts";
import { RECORDED, recorded, recordings } from "./recorded.ts";
import { codesOf, goodWorld, observed, refusalsOf, type World } from "./world.ts";

const ADMITTED = "2025-11-25";
const surfaces = recordings().map((file) => ({ file, surface: recorded(file) }));
const current = surfaces.filter(({ surface }) => surface.protocolVersion === ADMITTED);
const older = surfaces.filter(({ surface }) => surface.protocolVersion !== ADMITTED);
/** Its text hides a code point, and only a review may except that. */
const HIDES = /lark-mcp/;
const plain = current.filter(({ file }) => !HIDES.test(file));

const PERMISSIONS = ["notes:read", "notes:write"];

/** A third party's entry that reviewed exactly a surface, every tool of the most severe class. */
function entryOf(surface: Surface): JsonObject {
  const { tools, ...server } = surfacePins(surface);
  const base = goodEntry({ now: NOW, origin: "third-party" });
  return renewed({
    ...base,
    protocol: { name: "mcp", versions: [ADMITTED] },
    riskClass: "destructive",
    permissions: PERMISSIONS,
    tools: tools.map(({ name, pins: { inputSchema, description, definition } }) => ({
      name: name ?? null,
      riskClass: "destructive",
      permissions: PERMISSIONS,
      pins: { inputSchema, description, definition: { [ADMITTED]: definition } },
    })),
    surface: { observedWith: { clientCapabilities: {} }, [ADMITTED]: server },
  });
}

function worldOf(surface: Surface, reviewed: Surface = surface): World {
  const world = goodWorld({ origin: "third-party", transport: "stdio" });
  const observation: Observation = observed({
    ...world.observation,
    client: { capabilities: {} },
    surface: { how: "measured", value: surface },
  });
  return { ...world, entry: entryOf(reviewed), observation };
}

/** A surface as a value, its absent members left out. */
function asValue(surface: Surface): JsonObject {
  const members = Object.entries(surface).filter(([, value]) => value !== undefined);
  return Object.fromEntries<JsonValue>(members);
}

function fromValue(value: JsonObject): Surface {
  const { protocolVersion, tools, ...rest } = value;
  const lists = { prompts: listOf(rest["prompts"]), resources: listOf(rest["resources"]) };
  return {
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : "",
    instructions: rest["instructions"],
    capabilities: rest["capabilities"],
    tools: listOf(tools) ?? [],
    ...lists,
    resourceTemplates: listOf(rest["resourceTemplates"]),
  };
}

/** What a test puts in the place of an item stays there, whatever it is. */
function listOf(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says
  return isJsonArray(value) ? (value as readonly JsonObject[]) : undefined;
}

/** The same JSON, written otherwise: members turned round, letters escaped, numbers with an exponent. */
function respelled(value: JsonValue): string {
  if (isJsonArray(value)) return `[ ${value.map(respelled).join(" ,\n")} ]`;
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .toReversed()
      .map(([name, member]) => `${escaped(name)} : ${respelled(member)}`)
      .join(",")}}`;
  if (typeof value === "string") return escaped(value);
  return typeof value === "number" && Number.isInteger(value)
    ? `${value}.0`
    : JSON.stringify(value);
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

describe.runIf(runsAgainst(RECORDED))(
  `recorded surfaces of real servers${missingNote(RECORDED)}`,
  () => {
    it("are many, in the admitted version and in older ones", () => {
      expect(plain.length).toBeGreaterThanOrEqual(14);
      expect(older.length).toBeGreaterThanOrEqual(2);
    });

    it.each(plain)("$file is admitted against its own pins", ({ surface }) => {
      expect(refusalsOf(worldOf(surface))).toEqual([]);
    });

    it.each(older)("$file is refused: protocol.version_unadmitted", ({ surface }) => {
      expect(codesOf(refusalsOf(worldOf(surface)))[0]).toBe("protocol.version_unadmitted");
    });

    it.each(plain)("$file is the same in any order and spelling: admitted", ({ surface }) => {
      const turned = { ...surface, tools: surface.tools.toReversed() };
      const parsed = parseJson(Buffer.from(respelled(asValue(turned))));
      expect(parsed.ok && isJsonObject(parsed.value)).toBe(true);
      const value = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
      expect(codesOf(refusalsOf(worldOf(fromValue(value), surface)))).toEqual([]);
    });

    it.each(plain)("$file with any single leaf changed is refused", ({ surface }) => {
      const value = asValue(surface);
      const lists = ["tools", "prompts", "resources", "resourceTemplates"];
      const leaves = leavesOf(value)
        .map(({ path }) => path)
        .filter((path) => path.length > 1 || !lists.includes(String(path[0])));
      const changed = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
      fc.assert(
        fc.property(fc.constantFrom(...leaves), changed, (path: Path, next) => {
          fc.pre(JSON.stringify(valueAt(value, path)) !== JSON.stringify(next));
          const codes = codesOf(
            refusalsOf(worldOf(fromValue(withValue(value, path, next)), surface)),
          );
          expect(codes.length).toBeGreaterThan(0);
          expect(codes[0]).toMatch(/^(surface|protocol)\./);
        }),
        { numRuns: 30 },
      );
    });

    it("with hidden text is admitted only with the exception of its review: surface.text_unsafe", () => {
      const [lark] = current.filter(({ file }) => HIDES.test(file));
      const world = worldOf(lark?.surface ?? recorded(""));
      const [refused] = refusalsOf(world);
      expect([refused?.code, refused?.actual]).toEqual(["surface.text_unsafe", "U+200B"]);
      const field =
        "/tools/im_v1_message_list/inputSchema/properties/params/properties/container_id/description";
      expect(refused?.subject).toBe(field);
      const exceptions = [{ field, codePoints: ["U+200B"], reason: "As its vendor wrote it" }];
      const entry = renewed(withValue(world.entry, ["textExceptions"], exceptions));
      expect(refusalsOf({ ...world, entry })).toEqual([]);
    });

    it("of one version in two folders: refused as a drift of that text", () => {
      const reviewed = recorded("figma-developer-mcp@0.13.2.jsonl");
      const elsewhere = recorded("variant.figma-developer-mcp@0.13.2__other-cwd.json");
      expect(codesOf(refusalsOf(worldOf(elsewhere, reviewed)))).toEqual([
        "surface.description_drift",
        "surface.definition_drift",
      ]);
    });

    it("of two consecutive versions: told apart by their tools", () => {
      const [old, now] = ["0.0.80", "0.0.81"].map((v) => recorded(`@playwright+mcp@${v}.jsonl`));
      const verdict = old && now ? refusalsOf(worldOf(now, old)) : [];
      expect(codesOf(verdict)[0]).toBe("surface.tool_set_drift");
      expect(verdict[0]?.actual).toContain("browser_webmcp_call");
    });
  },
);
