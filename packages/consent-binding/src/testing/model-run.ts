import { sha256 } from "@eve/canonical-json";
import { isConsumedApproval } from "../consumed-approval.ts";
import type { ConsentStore, ConsentView, PublishingCall } from "../consent-store.ts";
import { codeOf, UNKNOWN } from "./cast.ts";
import {
  ACTORS,
  ConsentModel,
  type Difference,
  ITEM_IDS,
  OPERATORS,
  type Person,
} from "./consent-model.ts";
import { expectEqual } from "./contract-violation.ts";
import type { ModelStep } from "./model-steps.ts";

/** A store under test, with its clock stopped, and the items that a model has; items begin submitted, at version 1. */
export interface ModelWorld {
  readonly store: ConsentStore;
  /** The id that the store knows an item of the model by. */
  readonly idOf: (tenant: string, itemId: string) => string;
  /** Sets the store's clock, in epoch ms. */
  readonly setNow: (ms: number) => Promise<void>;
  /** Makes an item submitted, one version on, as somebody else would. */
  readonly submitAgain: (tenant: string, itemId: string) => Promise<void>;
  readonly itemOf: (
    tenant: string,
    itemId: string,
  ) => Promise<{ readonly state: string; readonly version: number }>;
  /** How many items executions have moved. */
  readonly moves: () => Promise<number>;
}

/** How a run begins, and how many steps are under way together. */
export interface ModelRunOptions {
  /** Epoch ms. */
  readonly now: number;
  /** How many requests of one actor may wait. */
  readonly quota: number;
  /** Steps that are begun together, 1 where left out. More than one only for a store whose calls decide as they begin. */
  readonly atOnce?: number;
  /** Awaited by each step before it is taken, so that a scheduler can choose whose turn it is. */
  readonly turn?: () => Promise<void>;
}

/**
 * Takes the steps in the store and in a second telling of its rules. After each step the code, the items and the number
 * of effects are the same, and in the end each consent's state is; else rejects with ContractViolation. Answers the codes
 * that were met.
 */
export async function runModel(
  steps: readonly ModelStep[],
  world: ModelWorld,
  { now, quota, atOnce = 1, turn = (): Promise<void> => Promise.resolve() }: ModelRunOptions,
): Promise<ReadonlySet<string>> {
  const run = new ModelRun(world, new ConsentModel(now, quota));
  await world.setNow(now);
  for (const { tenant } of OPERATORS) for (const id of ITEM_IDS) run.model.item(tenant, id);
  for (let at = 0; at < steps.length; at += atOnce)
    await Promise.all(
      steps.slice(at, at + atOnce).map(async (step) => {
        await turn();
        await run.take(step);
      }),
    );
  await run.agreeOnConsents();
  return run.seen;
}

class ModelRun {
  readonly seen = new Set<string>();
  readonly model: ConsentModel;
  readonly #world: ModelWorld;
  readonly #views: ConsentView[] = [];

  constructor(world: ModelWorld, model: ConsentModel) {
    this.#world = world;
    this.model = model;
  }

  async take(step: ModelStep): Promise<void> {
    const [foretold, was] = await this.#answers(step);
    this.seen.add(was.replace(/ .*/, ""));
    expectEqual(JSON.stringify(step), was, foretold);
    await this.#agreeOnItems(step);
  }

  async #answers(step: ModelStep): Promise<readonly [foretold: string, was: string]> {
    const { model } = this;
    switch (step.kind) {
      case "request":
        return this.#request(step);
      case "decide":
        return this.#decide(step);
      case "execute":
        return this.#execute(step);
      case "wait":
        model.now += step.ms;
        await this.#world.setNow(model.now);
        return ["ok", "ok"];
      case "edit": {
        const item = model.item(step.tenant, step.itemId);
        [item.state, item.version] = ["submitted", item.version + 1];
        await this.#world.submitAgain(step.tenant, step.itemId);
        return ["ok", "ok"];
      }
    }
  }

  async #request(
    step: Extract<ModelStep, { kind: "request" }>,
  ): Promise<readonly [string, string]> {
    const { by, itemId, channel } = step;
    const foretold = this.model.request(by, itemId, channel);
    const call = callOf(this.#world.idOf(by.tenant, itemId), channel);
    const answer = await this.#world.store.request(by, { ...call, destinations: [] });
    if (!answer.ok) return [foretold.code, answer.code];
    const known = this.#views.findIndex(({ id }) => id === answer.value.id);
    const at = known === -1 ? this.#views.push(answer.value) - 1 : known;
    return [`${foretold.code} ${foretold.index}`, `ok ${at}`];
  }

  async #decide(step: Extract<ModelStep, { kind: "decide" }>): Promise<readonly [string, string]> {
    const { approve, rightDigest } = step;
    const at = this.#placeOf(step.pick);
    const by = step.by === "proper" ? this.#operatorOf(at) : step.by;
    const view = this.#views[at];
    const digest = rightDigest ? (view?.digest ?? "") : sha256("another text");
    const decision = approve ? "approve" : "decline";
    const foretold = this.model.decide(by, at, approve, rightDigest);
    const asked = { decision, digest, reason: "reviewed" } as const;
    return [foretold, codeOf(await this.#world.store.decide(by, view?.id ?? UNKNOWN, asked))];
  }

  async #execute(
    step: Extract<ModelStep, { kind: "execute" }>,
  ): Promise<readonly [string, string]> {
    const { change } = step;
    const at = this.#placeOf(step.pick);
    const [view, consent] = [this.#views[at], this.model.consents[at]];
    const by = step.by === "proper" ? (consent?.by ?? ACTORS[0]) : step.by;
    const itemId = this.#world.idOf(consent?.by.tenant ?? "acme", consent?.itemId ?? "item-1");
    const call = CHANGES[change](callOf(itemId, consent?.channel ?? "beta"));
    const foretold = this.model.execute(by, at, change);
    const answer = await this.#world.store.execute(by, view?.id ?? UNKNOWN, call);
    if (answer.ok) return [`${foretold} true`, `ok ${isConsumedApproval(answer.value)}`];
    const tellsOutcome = foretold === "consent.consumed";
    return [`${foretold} ${tellsOutcome}`, `${answer.code} ${answer.outcome !== undefined}`];
  }

  /** One of the consents there are, or, seldom, one that is not there. */
  #placeOf(pick: number): number {
    return pick % 7 === 0 ? 99 : pick % Math.max(1, this.#views.length);
  }

  #operatorOf(at: number): Person {
    const tenant = this.model.consents[at]?.by.tenant;
    return OPERATORS.find((operator) => operator.tenant === tenant) ?? OPERATORS[0];
  }

  async #agreeOnItems(step: ModelStep): Promise<void> {
    const after = `after ${JSON.stringify(step)}`;
    for (const [key, item] of this.model.items) {
      const [tenant = "", id = ""] = key.split("/");
      const { state, version } = await this.#world.itemOf(tenant, id);
      expectEqual(`${key} ${after}`, { state, version }, { ...item });
    }
    expectEqual(`effects ${after}`, await this.#world.moves(), this.model.moves);
  }

  async agreeOnConsents(): Promise<void> {
    const { consents } = this.model;
    expectEqual("consents", this.#views.length, consents.length);
    for (const [at, consent] of consents.entries()) {
      const found = await this.#world.store.find(consent.by, this.#views[at]?.id ?? UNKNOWN);
      const state = found.ok ? found.value.state : found.code;
      expectEqual(`consent ${at}`, state, this.model.stateOf(consent));
    }
    const consumed = consents.filter(({ state }) => state === "consumed").length;
    expectEqual("consumed consents", consumed, this.model.moves);
  }
}

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
