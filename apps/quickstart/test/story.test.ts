import { describe, expect, it } from "vitest";
import {
  type Publication,
  requireAsked,
  requireCode,
  requireItem,
  requireItemState,
  requireStatus,
} from "../src/steps/publish/story.ts";

const plan: Publication = {
  id: "shipment",
  noun: "shipment",
  tool: "workbench_ship_item",
  args: { channel: "internal" },
  changedArgs: { channel: "stable" },
  from: "submitted",
  to: "shipped",
  effects: ({ shipments }) => shipments,
};
const item = { state: "submitted", version: 3, shipments: 0, verdicts: 0 };

describe("a story", () => {
  it("does not go on without its item or its request", () => {
    expect(() => requireItem({})).toThrow("expected a submitted item");
    expect(() => requireAsked({})).toThrow("expected a request for approval");
  });
});

describe("requireStatus", () => {
  it("takes the status expected and tells a refusal by its code", () => {
    requireStatus({ status: "ok" }, "ok");
    expect(() => requireStatus({ status: "refused", code: "consent.expired" }, "ok")).toThrow(
      "expected the status ok; found refused (consent.expired)",
    );
    expect(() => requireStatus({}, "ok")).toThrow("found none");
  });
});

describe("requireCode", () => {
  it("takes the code expected and no answer without it", () => {
    requireCode({ code: "consent.consumed" }, "consent.consumed");
    expect(() => requireCode({ code: "consent.expired" }, "consent.consumed")).toThrow(
      "expected consent.consumed; found consent.expired",
    );
    expect(() => requireCode({ status: "ok" }, "consent.consumed")).toThrow("found the status ok");
  });
});

describe("requireItemState", () => {
  it.each([
    ["before", item],
    ["after", { ...item, state: "shipped", shipments: 1 }],
  ] as const)("holds %s the effect for %j", (when, found) => {
    expect(() => requireItemState(plan, found, when)).not.toThrow();
  });

  it.each([
    ["before", { ...item, shipments: 1 }],
    ["before", { ...item, state: "shipped" }],
    ["after", { ...item, state: "shipped", shipments: 2 }],
    ["after", { ...item, state: "shipped", shipments: 0 }],
    ["after", { ...item, shipments: 1 }],
  ] as const)("does not hold %s the effect for %j", (when, found) => {
    expect(() => requireItemState(plan, found, when)).toThrow(
      /expected the item (submitted|shipped) with [01] such/,
    );
  });
});
