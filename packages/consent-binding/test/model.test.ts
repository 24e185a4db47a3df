import { propertyFactor, propertyRuns } from "@eve/config/property-runs";
import {
  ACTORS,
  ITEM_IDS,
  MemoryConsentStore,
  type ModelStep,
  type ModelWorld,
  OPERATORS,
  runModel,
  stepOf,
} from "@eve/consent-binding/testing";
import { NOW } from "@eve/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEY } from "./kit.ts";

const QUOTA = 3;
// A nightly run tries ten times as many and not a hundred times: 10,000.
const RUNS = propertyFactor() === 1 ? 1_000 : 10_000;
/** How many people act at once. */
const AT_ONCE = 4;

function newWorld(): ModelWorld {
  let now = NOW;
  const store = new MemoryConsentStore({ clock: () => now, key: KEY, pendingQuota: QUOTA });
  for (const { tenant } of OPERATORS)
    for (const id of ITEM_IDS) store.items.put(tenant, id, "submitted");
  return {
    store,
    idOf: (_tenant, itemId) => itemId,
    setNow: async (ms) => {
      now = ms;
    },
    submitAgain: async (tenant, itemId) => store.items.put(tenant, itemId, "submitted"),
    itemOf: async (tenant, itemId) => {
      const item = store.items.of(tenant, itemId);
      if (!item) throw new TypeError("no such item");
      return item;
    },
    moves: async () => store.items.moves,
  };
}

const number = fc.nat(10_000);
const steps: fc.Arbitrary<readonly ModelStep[]> = fc.array(
  fc.tuple(number, number, number, number, number).map(stepOf),
  { minLength: 10, maxLength: 30, size: "max" },
);

describe("the model of a consent store", () => {
  it(
    `does in ${RUNS} random sequences what a second telling of its rules foretells`,
    { timeout: propertyRuns(120_000) },
    async () => {
      const seen = new Set<string>();
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const met = await runModel(sequence, newWorld(), { now: NOW, quota: QUOTA });
          for (const code of met) seen.add(code);
          taken += sequence.length;
        }),
        { numRuns: RUNS },
      );
      expect(taken).toBeGreaterThan(10_000);
      expect([...seen].toSorted()).toEqual([
        "consent.approver_not_operator",
        "consent.arguments_mismatch",
        "consent.consumed",
        "consent.decided",
        "consent.declined",
        "consent.digest_mismatch",
        "consent.expired",
        "consent.item_changed",
        "consent.not_found",
        "consent.pending",
        "consent.quota_exceeded",
        "consent.self_approval",
        "consent.surface_changed",
        "consent.voided",
        "item.state_refused",
        "ok",
      ]);
    },
  );

  it(
    `does so in ${RUNS} more in which ${AT_ONCE} act at once, in whatever order they get their turn`,
    { timeout: propertyRuns(120_000) },
    async () => {
      const seen = new Set<string>();
      let turned = 0;
      await fc.assert(
        fc.asyncProperty(steps, fc.scheduler(), async (sequence, scheduler) => {
          let begun = 0;
          const order: number[] = [];
          const turn = async (): Promise<void> => {
            const place = begun++;
            await scheduler.schedule(Promise.resolve(), `step ${place}`);
            order.push(place);
          };
          const options = { now: NOW, quota: QUOTA, atOnce: AT_ONCE, turn };
          const met = await scheduler.waitFor(runModel(sequence, newWorld(), options));
          if (order.some((place, at) => place !== at)) turned += 1;
          for (const code of met) seen.add(code);
        }),
        { numRuns: RUNS },
      );
      // The scheduler does change whose turn it is.
      expect(turned).toBeGreaterThan(RUNS / 2);
      expect([...seen]).toEqual(
        expect.arrayContaining(["ok", "consent.consumed", "consent.voided", "consent.expired"]),
      );
    },
  );

  it("is told apart from a store that executes twice", async () => {
    const world = newWorld();
    const forgetful: ModelWorld = { ...world, moves: async () => (await world.moves()) * 2 };
    const ship: readonly ModelStep[] = [
      { kind: "request", by: ACTORS[0], itemId: "item-1", channel: "beta" },
      { kind: "decide", by: OPERATORS[0], pick: 1, approve: true, rightDigest: true },
      { kind: "execute", by: ACTORS[0], pick: 1, change: "none" },
    ];
    await expect(runModel(ship, forgetful, { now: NOW, quota: QUOTA })).rejects.toMatchObject({
      code: "contract.violated",
    });
  });
});
