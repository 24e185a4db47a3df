import { expect, test } from "vitest";
import { isJsonArray, isJsonObject } from "@eve/canonical-json";

test("an object is an object; null, a list, a text and an absent value are not", () => {
  expect([{}, null, [], "{}", undefined].map((value) => isJsonObject(value))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("a list is a list; an object, null, a text and an absent value are not", () => {
  expect([[], {}, null, "[]", undefined].map((value) => isJsonArray(value))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
