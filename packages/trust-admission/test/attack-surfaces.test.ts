import { isJsonArray, isJsonObject, type JsonValue } from "@eve/canonical-json";
import { admit } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { SURFACE_RUNGS } from "../src/rungs/surface.ts";
import { SHEET } from "./sheet.ts";
import { asJson, codesOf, goodWorld, observed, registryOf } from "./world.ts";

const RUNGS: ReadonlySet<string> = new Set(SURFACE_RUNGS.map(({ name }) => name));
const HOSTILE = SHEET.filter(({ rung }) => RUNGS.has(rung));
const REPEATS = 100;

/** The value with the members of each object in it in the other order, or as they are. */
function turned(value: JsonValue | undefined, isTurned: boolean): JsonValue {
  if (isJsonArray(value)) return value.map((item) => turned(item, isTurned));
  if (!isJsonObject(value)) return value ?? null;
  const members: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  const ordered = isTurned ? members.toReversed() : members;
  return Object.fromEntries(
    ordered
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, turned(one, isTurned)]),
  );
}

describe("a hostile surface", () => {
  it("is of many kinds", () => {
    expect(HOSTILE.length).toBeGreaterThan(90);
  });

  it.each(HOSTILE.map((row) => [row.title, row] as const))(
    "%s: the same codes on 100 repeats and in another order of members, each within a second",
    (_, { base, change }) => {
      const world = change(goodWorld(base));
      const registry = registryOf(world);
      const codes = (isTurned: boolean): readonly string[] => {
        const observation = observed(turned(asJson(world.observation), isTurned));
        const verdict = admit(registry, observation, world.now);
        return verdict.admitted ? [] : codesOf(verdict.refusals);
      };
      const before = performance.now();
      const first = codes(false);
      expect(performance.now() - before).toBeLessThan(1_000);
      expect(first.length).toBeGreaterThan(0);
      for (let n = 1; n < REPEATS; n += 1) expect(codes(n % 2 === 1)).toEqual(first);
    },
  );

  it.each(
    SHEET.filter(({ title }) => title.startsWith("SS-11")).map((row) => [row.title, row] as const),
  )("%s: within 200 ms", (_, { base, change }) => {
    const world = change(goodWorld(base));
    const registry = registryOf(world);
    admit(registry, goodWorld().observation, world.now); // the code is compiled once
    const before = performance.now();
    expect(admit(registry, world.observation, world.now).admitted).toBe(false);
    expect(performance.now() - before).toBeLessThan(200);
  });
});
