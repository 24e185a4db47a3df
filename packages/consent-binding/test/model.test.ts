import { sha256 } from "@eve/canonical-json";
import type { ConsentOutcome, ConsentView, PublishingCall } from "@eve/consent-binding";
import { isConsumedApproval } from "@eve/consent-binding";
import { MemoryConsentStore } from "@eve/consent-binding/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEY } from "./kit.ts";
import {
  ACTORS,
  type Difference,
  ITEM_IDS,
  Model,
  OPERATORS,
  type Person,
  QUOTA,
} from "./model.ts";

const UNKNOWN = "11111111-1111-4111-8111-111111111111";

/** The store under test, the views it answered, and the clock that both sides share. */
class World {
  now = 0;
  readonly views: ConsentView[] = [];
  readonly seen: Set<string>;
  readonly store: MemoryConsentStore = new MemoryConsentStore({
    clock: () => this.now,
    key: KEY,
    pendingQuota: QUOTA,
  });
  constructor(seen: Set<string>) {
    this.seen = seen;
  }
}

/** One step: what the model foretells, and what the store does. */
class Step implements fc.AsyncCommand<Model, World, true> {
  readonly name: string;
  readonly take: (model: Model, world: World) => Promise<readonly [foretold: string, was: string]>;

  constructor(name: string, take: Step["take"]) {
    this.name = name;
    this.take = take;
  }

  async check(): Promise<boolean> {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    const [foretold, was] = await this.take(model, world);
    world.seen.add(was.replace(/ .*/, ""));
    agreeOnItems(model, world, [foretold, was]);
  }

  toString(): string {
    return this.name;
  }
}

/** The step went as foretold, and the store has moved the items that the model has. */
function agreeOnItems(model: Model, { store }: World, [foretold, was]: readonly string[]): void {
  expect(was).toBe(foretold);
  for (const [key, item] of model.items) {
    const [tenant = "", id = ""] = key.split("/");
    expect(store.items.of(tenant, id)).toEqual({ itemId: id, ...item });
  }
  expect(store.items.moves).toBe(model.moves);
}

/** The store shows each consent in the model's state, and has moved one item for each that was consumed. */
async function agreeOnConsents(model: Model, { store, views }: World): Promise<void> {
  expect(views.length).toBe(model.consents.length);
  for (const [at, consent] of model.consents.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a handful, in memory
    const found = await store.find(consent.by, views[at]?.id ?? UNKNOWN);
    expect(found.ok && found.value.state).toBe(model.stateOf(consent));
  }
  expect(model.consents.filter(({ state }) => state === "consumed").length).toBe(model.moves);
}

const codeOf = (outcome: ConsentOutcome<unknown>): string => (outcome.ok ? "ok" : outcome.code);

function callOf(itemId: string, channel: string): PublishingCall {
  return {
    integration: "oshun-workbench",
    tool: "workbench_ship_item",
    toolPins: { description: sha256("as reviewed") },
    entryDigest: sha256("entry"),
    arguments: { itemId, channel },
  };
}

const CHANGES: Readonly<Record<Difference, (call: PublishingCall) => PublishingCall>> = {
  none: (call) => call,
  channel: (call) => ({ ...call, arguments: { ...call.arguments, channel: "stable" } }),
  tool: (call) => ({ ...call, tool: "workbench_verify_item" }),
  pins: (call) => ({ ...call, toolPins: {} }),
  entry: (call) => ({ ...call, entryDigest: sha256("another") }),
};

const person: fc.Arbitrary<Person> = fc.constantFrom(...ACTORS, ...OPERATORS);
const actor: fc.Arbitrary<Person> = fc.constantFrom(...ACTORS);
const itemId = fc.constantFrom(...ITEM_IDS);
/** One of the consents there are, or, seldom, one that is not there. */
const pick: fc.Arbitrary<(world: World) => number> = fc
  .nat()
  .map((count) => (world) => (count % 7 === 0 ? 99 : count % Math.max(1, world.views.length)));

const requests = fc.tuple(actor, itemId, fc.constantFrom("beta", "internal")).map(
  ([by, item, channel]) =>
    new Step(`${by.actor}@${by.tenant} asks for ${item}, ${channel}`, async (model, world) => {
      const foretold = model.request(by, item, channel);
      const answer = await world.store.request(by, { ...callOf(item, channel), destinations: [] });
      if (!answer.ok) return [foretold.code, answer.code];
      const known = world.views.findIndex(({ id }) => id === answer.value.id);
      const at = known === -1 ? world.views.push(answer.value) - 1 : known;
      return [`${foretold.code} ${foretold.index}`, `ok ${at}`];
    }),
);

const decisions = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...OPERATORS) },
      { weight: 1, arbitrary: person },
    ),
    pick,
    fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
    fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
  )
  .map(
    ([by, picked, approve, isRight]) =>
      new Step(`${by.principal}@${by.tenant} decides: ${approve}`, async (model, world) => {
        const at = picked(world);
        const view = world.views[at];
        const digest = isRight ? (view?.digest ?? "") : sha256("another text");
        const decision = approve ? "approve" : "decline";
        const foretold = model.decide(by, at, approve, isRight);
        const asked = { decision, digest, reason: "reviewed" } as const;
        return [foretold, codeOf(await world.store.decide(by, view?.id ?? UNKNOWN, asked))];
      }),
  );

const difference: fc.Arbitrary<Difference> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Difference>("none") },
  { weight: 1, arbitrary: fc.constantFrom<Difference[]>("channel", "tool", "pins", "entry") },
);

const executions = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: actor }, { weight: 1, arbitrary: person }),
    pick,
    difference,
  )
  .map(
    ([by, picked, change]) =>
      new Step(`${by.actor}@${by.tenant} executes: ${change}`, async (model, world) => {
        const at = picked(world);
        const view = world.views[at];
        const consent = model.consents[at];
        const call = callOf(consent?.itemId ?? "item-1", consent?.channel ?? "beta");
        const foretold = model.execute(by, at, change);
        const answer = await world.store.execute(by, view?.id ?? UNKNOWN, CHANGES[change](call));
        if (answer.ok) return [`${foretold} true`, `ok ${isConsumedApproval(answer.value)}`];
        const tellsOutcome = foretold === "consent.consumed";
        return [`${foretold} ${tellsOutcome}`, `${answer.code} ${answer.outcome !== undefined}`];
      }),
  );

const waits = fc.constantFrom(1, 60_000, 60_000, 299_999, 599_999, 600_000).map(
  (ms) =>
    new Step(`${ms} ms pass`, async (model, world) => {
      model.now += ms;
      world.now = model.now;
      return ["ok", "ok"];
    }),
);

const edits = fc.tuple(fc.constantFrom("acme", "globex"), itemId).map(
  ([tenant, item]) =>
    new Step(`${item}@${tenant} is submitted again`, async (model, world) => {
      const before = model.item(tenant, item);
      before.state = "submitted";
      before.version += 1;
      world.store.items.put(tenant, item, "submitted");
      return ["ok", "ok"];
    }),
);

describe("the model of a consent store", () => {
  it(
    "does in a thousand random sequences what a second telling of its rules foretells",
    { timeout: 120_000 },
    async () => {
      const seen = new Set<string>();
      let steps = 0;
      const commands = fc.commands<Model, World, true>(
        [requests, decisions, decisions, executions, executions, executions, waits, edits],
        { maxCommands: 30, size: "max" },
      );
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          const [model, world] = [new Model(), new World(seen)];
          world.now = model.now;
          for (const { tenant } of OPERATORS) {
            for (const id of ITEM_IDS) {
              model.item(tenant, id);
              world.store.items.put(tenant, id, "submitted");
            }
          }
          await fc.asyncModelRun(() => ({ model, real: world }), sequence);
          await agreeOnConsents(model, world);
          steps += [...sequence].length;
        }),
        { numRuns: 1000 },
      );
      expect(steps).toBeGreaterThan(10_000);
      expect([...seen].toSorted()).toEqual([
        "consent.approver_not_operator",
        "consent.arguments_mismatch",
        "consent.consumed",
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
});
