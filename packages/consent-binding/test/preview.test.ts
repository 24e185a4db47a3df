import type { JsonValue } from "@eve/canonical-json";
import { parsePreview } from "@eve/consent-binding";
import { withValue } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { GOOD_BINDING } from "./kit.ts";

const GOOD = GOOD_BINDING.preview;
const CLOSED = { ...GOOD, from: "shipped", to: "rejected" };

describe("a preview", () => {
  it.each([
    ["a shipment", GOOD],
    ["a rejection", { ...CLOSED, effect: { outcome: "rejected", reason: "broken" } }],
    ["no destinations", { ...GOOD, destinations: [] }],
    ["the first version", { ...GOOD, version: 0 }],
  ])("is read: %s", (_title, value) => {
    expect(parsePreview(value)).toEqual(value);
  });

  it.each([
    ["a missing member", ["version"], undefined],
    ["an unknown member", ["force"], true],
    ["an item id of other characters", ["itemId"], "item 7"],
    ["an unknown state", ["to"], "SHIPPED"],
    ["a move to where it is", ["to"], "submitted"],
    ["a negative version", ["version"], -1],
    ["a version between two", ["version"], 1.5],
    ["a version that a double cannot count to", ["version"], 2 ** 53],
    ["no effect", ["effect"], {}],
    ["a channel that is no word", ["effect", "channel"], ""],
    ["two effects", ["effect", "outcome"], "verified"],
    ["a rejection without a reason", ["effect"], { outcome: "rejected" }],
    ["an outcome of another kind", ["effect"], { outcome: "shipped", reason: "r" }],
    ["a reason with NUL", ["effect"], { outcome: "rejected", reason: "a\u0000b" }],
    ["a reason with half a character", ["effect"], { outcome: "rejected", reason: "\ud800" }],
    ["a destination with a path", ["destinations", 0, "origin"], "https://workbench.example/"],
    ["a destination without TLS", ["destinations", 0, "origin"], "http://workbench.example"],
    ["a destination that hides its data", ["destinations", 0, "dataClasses"], undefined],
    ["a data class that is no id", ["destinations", 0, "dataClasses", 0], "Work items"],
  ] satisfies (readonly [string, readonly (string | number)[], JsonValue | undefined])[])(
    "is not read with %s",
    (_title, path, next) => {
      expect(parsePreview(withValue(GOOD, path, next))).toBeUndefined();
    },
  );

  it.each([undefined, null, "preview", 7, [], () => GOOD])("is not read from %s", (value) => {
    expect(parsePreview(value)).toBeUndefined();
  });
});
