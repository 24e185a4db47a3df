import { at, DAY_MS, goodDocument, goodEntry, NOW, withValue } from "@eve/test-kit";
import { parseRegistry, type Registry } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { governed } from "../src/call/governed.ts";
import { BASES, goodWorld, registryOf } from "./world.ts";

/** The instants that the good entries name, and a few beside them. */
const INSTANTS = [0, 1, NOW - 3_600_000, NOW, NOW + 1, NOW + 30 * DAY_MS, NOW + 200 * DAY_MS];
const moment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...INSTANTS), fc.integer({ min: -2, max: 2 }))
    .map(([base, off]) => base + off),
  fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + 400 * DAY_MS }),
);

describe("what is remembered of governance", () => {
  it("is what the rungs answer, at whatever moment it was asked before", () => {
    for (const base of BASES) {
      const world = goodWorld(base);
      const { integration } = world.observation;
      const registry = registryOf(world);
      fc.assert(
        fc.property(fc.array(moment, { minLength: 2, maxLength: 8 }), (moments) => {
          for (const now of moments)
            expect(governed(registry, integration, now).refusals).toEqual(
              judgeGovernance(registry, integration, now),
            );
        }),
        { numRuns: 300 },
      );
    }
  });

  it("holds up to the millisecond in which a date ends: health.expired", () => {
    const registry = registryOf(goodWorld());
    const end = Date.parse("2026-12-31T11:00:00Z");
    const codes = (now: number): readonly string[] =>
      governed(registry, "notes", now).refusals.map(({ code }) => code);
    expect(codes(NOW)).toEqual([]);
    expect([codes(end - 1), codes(end), codes(end + 1)]).toEqual([
      [],
      ["health.expired"],
      ["health.expired"],
    ]);
  });

  it.each([Number.NaN, NOW + 0.5, -1, Number.POSITIVE_INFINITY])(
    "is not asked by the clock %d, which is none",
    (now) => {
      const registry = registryOf(goodWorld());
      expect(governed(registry, "notes", NOW).refusals).toEqual([]);
      expect(governed(registry, "notes", now).refusals.length).toBeGreaterThan(0);
    },
  );

  it("is another registry's own", () => {
    const registries = ["active", "revoked"].map((state) =>
      registryOf({
        ...goodWorld(),
        entry: withValue(goodEntry({ now: NOW }), ["lifecycle", "state"], state),
      }),
    );
    const codes = registries.map((each) =>
      governed(each, "notes", NOW).refusals.map(({ code }) => code),
    );
    expect(codes).toEqual([[], ["lifecycle.revoked"]]);
  });

  it("is the same answer, not another one like it", () => {
    const registry = registryOf(goodWorld());
    expect(governed(registry, "notes", NOW)).toBe(governed(registry, "notes", NOW + 5));
  });

  it("is forgotten where the record is another one: lifecycle.quarantined", () => {
    const registry = registryOf(goodWorld());
    expect(governed(registry, "notes", NOW).refusals).toEqual([]);
    const other = parseRegistry(
      goodDocument({
        entries: [withValue(goodEntry({ now: NOW }), ["lifecycle", "state"], "quarantined")],
      }).bytes,
    );
    const record = other.ok ? other.registry.integrations.get("notes") : undefined;
    // A ReadonlyMap is a Map at run time.
    if (!(registry.integrations instanceof Map) || !record) throw new TypeError("a map");
    registry.integrations.set("notes", record);
    expect(governed(registry, "notes", NOW).refusals).toMatchObject([
      { code: "lifecycle.quarantined" },
    ]);
  });

  it("is nothing for a registry that can still change: lifecycle.revoked", () => {
    const frozen = registryOf(goodWorld());
    const entry: Registry["integrations"] = structuredClone(frozen.integrations);
    const loose: Registry = { ...frozen, integrations: entry };
    expect(governed(loose, "notes", NOW).refusals).toEqual([]);
    const record = entry.get("notes");
    if (record?.status !== "complete") throw new TypeError("complete");
    Object.assign(record.entry.lifecycle, { state: "revoked" });
    expect(governed(loose, "notes", NOW).refusals).toMatchObject([{ code: "lifecycle.revoked" }]);
  });

  it("refuses a clock behind the newest observation after it was right: clock.behind", () => {
    const registry = registryOf(goodWorld());
    expect(governed(registry, "notes", NOW).refusals).toEqual([]);
    const back = registry.newestObservationMs - 1;
    expect(governed(registry, "notes", back).refusals.map(({ code }) => code)).toContain(
      "clock.behind",
    );
    expect(at(back)).not.toBe(at(NOW));
  });
});
