import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NameIndex } from "../src/name-index.ts";

const PRIME = 0x01000193;

/** 2^blocks names of one FNV-1a hash: each block of two code units has a twin that leads to the same state. */
function colliding(blocks: number): readonly string[] {
  let names = [""];
  let state = 0x811c9dc5;
  for (let block = 0; block < blocks; block++) {
    const twins = twinBlocks(state);
    names = names.flatMap((name) => twins.map((twin) => name + twin));
    for (const unit of twins[0].split("")) state = Math.imul(state ^ unit.charCodeAt(0), PRIME);
  }
  return names;
}

/** Two first units that agree in the upper half of the state, and second units that make up for the lower half. */
function twinBlocks(state: number): readonly [string, string] {
  const seen = new Map<number, readonly [number, number]>();
  for (let unit = 0; unit <= 0xffff; unit++) {
    const next = Math.imul(state ^ unit, PRIME);
    const twin = seen.get(next >>> 16);
    if (twin !== undefined) {
      const difference = (twin[1] ^ next) & 0xffff;
      return [String.fromCharCode(twin[0], 0), String.fromCharCode(unit, difference)];
    }
    seen.set(next >>> 16, [unit, next]);
  }
  throw new Error("no twin blocks");
}

describe("NameIndex", () => {
  it("answers as a set does", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { maxLength: 400 }), (names) => {
        const index = new NameIndex();
        const set = new Set<string>();
        for (const name of names) expect(index.add(name)).toBe(set.size < set.add(name).size);
      }),
    );
  });

  it("keeps each of many names", () => {
    const index = new NameIndex();
    const names = Array.from({ length: 5000 }, (_, n) => `name-${n}`);
    expect(names.every((name) => index.add(name))).toBe(true);
    expect(names.some((name) => index.add(name))).toBe(false);
  });

  it("stays right for names made to collide", () => {
    const index = new NameIndex();
    const names = colliding(12);
    expect(new Set(names).size).toBe(4096);
    expect(names.every((name) => index.add(name))).toBe(true);
    expect(names.some((name) => index.add(name))).toBe(false);
    expect(index.add("another")).toBe(true);
    expect(index.add("another")).toBe(false);
  });
});
