import { canonicalJson, parseJson } from "@eve/canonical-json";
import { parseRegistry } from "@eve/registry-schema";
import { goodDocument, goodEntry, NOW, thirdPartyEntry } from "@eve/test-kit";
import fc from "fast-check";
import { expect, it } from "vitest";

/** Two entries whose lifetime no date limits here: parsing knows no clock. */
const BYTES = goodDocument({
  entries: [goodEntry({ now: NOW }), thirdPartyEntry({ now: NOW, transport: "streamable-http" })],
}).bytes;

const canonicalOf = (bytes: Uint8Array): string | undefined => {
  const parsed = parseJson(bytes, { profile: "registry" });
  return parsed.ok ? canonicalJson(parsed.value) : undefined;
};
const ORIGINAL = canonicalOf(BYTES);

type Mutation = {
  readonly at: number;
  readonly kind: "set" | "flip" | "delete" | "insert";
  readonly byte: number;
};
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: BYTES.length - 1 }),
  kind: fc.constantFrom("set", "flip", "delete", "insert"),
  byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from(' \n\t"{}[],:0aA\\'))),
});

function mutated({ at, kind, byte }: Mutation): Uint8Array {
  const before = BYTES.subarray(0, at);
  const after = BYTES.subarray(kind === "insert" ? at : at + 1);
  const middle =
    kind === "delete" ? [] : [kind === "flip" ? (BYTES[at] ?? 0) ^ (1 << (byte & 7)) : byte];
  return Uint8Array.from([...before, ...middle, ...after]);
}

/**
 * A parsed registry holds what its bytes say: whatever one byte changed is either refused (the document, or the entry
 * it is in), or spelled differently with one canonical form, or another value whose record carries that change.
 */
it("refuses any single mutation of a valid document's bytes, or has its canonical form, or shows the change", () => {
  const seen = { refused: 0, same: 0, shown: 0 };
  fc.assert(
    fc.property(mutation, (change) => {
      const bytes = mutated(change);
      const result = parseRegistry(bytes);
      if (
        !result.ok ||
        [...result.registry.integrations.values()].some(({ status }) => status === "faulty")
      )
        return void seen.refused++;
      const canonical = canonicalOf(bytes);
      if (canonical === ORIGINAL) return void seen.same++;
      const { contract, sequence, dependencyGates, integrations } = result.registry;
      const raw = [...integrations.values()].flatMap((record) =>
        record.status === "complete" ? [record.raw] : [],
      );
      expect(
        canonicalJson(
          JSON.parse(JSON.stringify({ contract, sequence, dependencyGates, integrations: raw })),
        ),
      ).toBe(canonical);
      seen.shown++;
    }),
    { numRuns: 1000 },
  );
  expect(seen.refused).toBeGreaterThan(100);
  expect(seen.same + seen.shown).toBeGreaterThan(0);
});
