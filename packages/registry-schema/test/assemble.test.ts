import { assembleDocument, parseManifest, parseRegistry } from "@eve/registry-schema";
import { bytesOf, goodDocument, goodEntry, NOW, withValue } from "@eve/test-kit";
import { expect, it } from "vitest";
import { firstOf } from "./kit.ts";

const { integrations: _, ...MANIFEST } = goodDocument({ entries: [] }).value;

it("assembles a document that parses, its entries in the order of their ids", () => {
  const entries = ["notes", "memos", "bellona"].map((id) => goodEntry({ now: NOW, id }));
  const result = parseRegistry(bytesOf(assembleDocument(MANIFEST, entries)));
  expect(result.ok && [...result.registry.integrations.keys()]).toEqual([
    "bellona",
    "memos",
    "notes",
  ]);
});

it("leaves out the names of JSON Schemas, which are no part of the contract", () => {
  const entry = goodEntry({ now: NOW });
  const $schema = "../schema/x.json";
  expect(assembleDocument({ $schema, ...MANIFEST }, [{ $schema, ...entry }])).toEqual(
    assembleDocument(MANIFEST, [entry]),
  );
});

it("parses a manifest of the sources without entries", () => {
  expect(parseManifest(MANIFEST)).toMatchObject({ ok: true, manifest: { sequence: 1 } });
});

it("refuses entries inside a manifest: registry.unknown_field", () => {
  const result = parseManifest(withValue(MANIFEST, ["integrations"], []));
  expect(result.ok ? "parsed" : firstOf(result.refusals)).toBe(
    "registry.unknown_field integrations",
  );
});
