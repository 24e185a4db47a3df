import type { JsonObject } from "@eve/canonical-json";
import { ENTRY_LEAVES, isRefusalCode } from "@eve/registry-schema";
import { goodEntry, leavesOf, NOW, type Path, thirdPartyEntry } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { entryShape } from "../src/entry.ts";
import { PROTOCOL_VERSIONS } from "../src/vocabulary.ts";

const VERSIONS: readonly string[] = PROTOCOL_VERSIONS;
const FREE = "surface.observedWith.clientCapabilities";

/** A path of a value as the table writes it. */
function tabled(path: Path): string {
  const text = path.reduce<string>((left, key) => {
    if (typeof key === "number") return `${left}[]`;
    const name = VERSIONS.includes(key) ? "*" : key;
    return left === "" ? name : `${left}.${name}`;
  }, "");
  return text.startsWith(FREE) ? FREE : text;
}

/** The leaves of a schema, by walking it. */
function leavesOfSchema(schema: unknown, path: string): readonly string[] {
  if (path === FREE) return [path];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, inner]) =>
      leavesOfSchema(inner, [path, VERSIONS.includes(key) ? "*" : key].filter(Boolean).join(".")),
    );
  if (schema instanceof z.ZodArray) return leavesOfSchema(schema.element, `${path}[]`);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => leavesOfSchema(option, path));
  if (schema instanceof z.ZodOptional) return leavesOfSchema(schema.unwrap(), path);
  return [path];
}

const TABLE = ENTRY_LEAVES.map(({ path }) => path);
const sorted = (paths: Iterable<string>): readonly string[] => [...new Set(paths)].toSorted();

describe("the table of leaves", () => {
  it("names each leaf once", () => {
    expect(TABLE.length).toBeGreaterThan(50);
    expect(new Set(TABLE).size).toBe(TABLE.length);
  });

  it("covers exactly the leaves of the schema, both ways", () => {
    expect(sorted(TABLE)).toEqual(sorted(leavesOfSchema(entryShape, "")));
  });

  it("covers exactly the leaves of complete entries of both origins and transports, both ways", () => {
    const entries: readonly JsonObject[] = [
      goodEntry({ now: NOW }),
      goodEntry({ now: NOW, transport: "streamable-http" }),
      thirdPartyEntry({ now: NOW }),
      thirdPartyEntry({ now: NOW, transport: "streamable-http" }),
    ];
    expect(
      sorted(entries.flatMap((entry) => leavesOf(entry)).map(({ path }) => tabled(path))),
    ).toEqual(sorted(TABLE));
  });

  it("names codes of the catalogue, each once", () => {
    const wrong = ENTRY_LEAVES.filter(({ code, others }) => {
      const codes = [code, ...others];
      return !codes.every(isRefusalCode) || new Set(codes).size < codes.length;
    });
    expect(wrong).toEqual([]);
  });

  it("tells each leaf in one plain line", () => {
    const plain = /^[^\n|]+$/;
    expect(
      ENTRY_LEAVES.filter(({ rung, meaning }) => !plain.test(rung) || !plain.test(meaning)),
    ).toEqual([]);
  });

  it("leaves undecided only what people read", () => {
    expect(
      ENTRY_LEAVES.filter(({ kind }) => kind === "descriptive").map(({ path }) => path),
    ).toEqual(["owner.contact", "lifecycle.reason"]);
  });
});
