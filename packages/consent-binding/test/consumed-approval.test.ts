import {
  ConsentError,
  type ConsumedApproval,
  isConsumedApproval,
  requireConsumedApproval,
} from "@eve/consent-binding";
import * as main from "@eve/consent-binding";
import { type ConsumedFields, makeConsumedApproval } from "@eve/consent-binding/store";
import { formatInstant } from "@eve/registry-schema";
import { NOW } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { pendingConsent, sha } from "./kit.ts";

const FIELDS: ConsumedFields = {
  consentId: pendingConsent().id,
  digest: sha("a"),
  tenant: "acme",
  actor: "builder",
  integration: "oshun-workbench",
  tool: "workbench_ship_item",
  approver: "olga",
  consumedAt: formatInstant(NOW),
  outcome: { itemId: "item-7", moves: [{ from: "submitted", to: "shipped" }] },
};
const genuine = makeConsumedApproval(FIELDS);

const forgeries: readonly (readonly [string, unknown])[] = [
  ["its fields", FIELDS],
  ["a spread copy", { ...genuine }],
  ["a structured clone", structuredClone(genuine)],
  ["an object that inherits from one", Object.create(genuine)],
  ["its JSON", JSON.parse(JSON.stringify(genuine))],
  ["a proxy of one", new Proxy(genuine, {})],
  [
    "an object of its descriptors",
    Object.defineProperties({}, Object.getOwnPropertyDescriptors(genuine)),
  ],
  ["an empty object", {}],
  ["null", null],
  ["undefined", undefined],
  ["a text", "consumed"],
  ["true", true],
];

describe("the proof of a consumed approval", () => {
  it("is what a store made", () => {
    expect(isConsumedApproval(genuine)).toBe(true);
    expect(requireConsumedApproval(genuine)).toBe(genuine);
    expect(genuine).toEqual(FIELDS);
  });

  it.each(forgeries)("is not %s: approval.forged", (_title, forged) => {
    expect(isConsumedApproval(forged)).toBe(false);
    expect(() => requireConsumedApproval(forged)).toThrow(ConsentError);
    expect(() => requireConsumedApproval(forged)).toThrow(
      expect.objectContaining({ code: "approval.forged", name: "ConsentError" }),
    );
  });

  it("cannot be changed, nor through what it was made of", () => {
    const outcome = { itemId: "item-7", list: [1] };
    const proof = makeConsumedApproval({ ...FIELDS, outcome });
    outcome.itemId = "item-8";
    outcome.list.push(2);
    expect(proof.outcome).toEqual({ itemId: "item-7", list: [1] });
    expect(() => Object.assign(proof, { tenant: "globex" })).toThrow(TypeError);
    expect(() => Object.assign(proof.outcome, { itemId: "item-8" })).toThrow(TypeError);
    expect(Object.isFrozen(proof.outcome["list"])).toBe(true);
  });

  it("cannot be made through the package's main module", () => {
    expect(Object.keys(main).filter((name) => name.startsWith("make"))).toEqual([]);
  });

  it("cannot be written down by a type either", () => {
    // @ts-expect-error -- the brand is nobody's to write
    const forged: ConsumedApproval = { ...FIELDS };
    expect(isConsumedApproval(forged)).toBe(false);
  });
});
