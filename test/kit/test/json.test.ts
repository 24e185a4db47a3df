import {
  bytesOf,
  leavesOf,
  objectsOf,
  pathText,
  textIn,
  valueAt,
  withChange,
  withValue,
} from "@eve/test-kit";
import { describe, expect, it } from "vitest";

const VALUE = { a: [1, { b: "x" }], c: {}, d: null };

describe("withChange", () => {
  it("changes one place and leaves the given value alone", () => {
    expect(withChange(VALUE, ["a", 1, "b"], (old) => `${textIn(old)}y`)).toEqual({
      a: [1, { b: "xy" }],
      c: {},
      d: null,
    });
    expect(VALUE).toEqual({ a: [1, { b: "x" }], c: {}, d: null });
  });

  it("adds and removes members and items", () => {
    expect(withValue(VALUE, ["c", "e"], 2)).toEqual({ a: [1, { b: "x" }], c: { e: 2 }, d: null });
    expect(withValue(VALUE, ["a", 0], undefined)).toEqual({ a: [{ b: "x" }], c: {}, d: null });
    expect(Object.keys(withValue(VALUE, ["c"], undefined))).toEqual(["a", "d"]);
  });

  it("keeps the order of members", () => {
    expect(Object.keys(withValue(VALUE, ["a"], 1))).toEqual(["a", "c", "d"]);
  });

  it("says so where nothing can be changed", () => {
    expect(() => withValue(VALUE, ["d", "x"], 1)).toThrow(TypeError);
  });
});

it("leavesOf tells scalars and empty lists and objects, with their places", () => {
  expect(leavesOf(VALUE).map(({ path, value }) => [pathText(path), value])).toEqual([
    ["a[0]", 1],
    ["a[1].b", "x"],
    ["c", {}],
    ["d", null],
  ]);
  for (const { path, value } of leavesOf(VALUE)) expect(valueAt(VALUE, path)).toEqual(value);
});

it("objectsOf tells every object, the whole first", () => {
  expect(objectsOf(VALUE).map(({ path }) => pathText(path))).toEqual(["", "a[1]", "c"]);
});

it("bytesOf writes JSON that ends with a line feed", () => {
  expect(new TextDecoder().decode(bytesOf({ a: 1 }))).toBe('{\n  "a": 1\n}\n');
});
