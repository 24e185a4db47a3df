import { describe, expect, it } from "vitest";
import { collidingNames, foldName, repeatedAt } from "../src/text.ts";

describe("names too alike", () => {
  it.each([
    ["list_notes", "list-notes"],
    ["list.notes", "listnotes"],
    ["List_Notes", "list_notes"],
    ["bel1ona", "bellona"],
    ["n0te", "note"],
    ["note5", "notes"],
    ["ping", "p1ng"],
    ["pIng", "plng"],
    ["item", "itern"],
    ["view", "vievv"],
    ["WARM", "vvarrn"],
    ["caf\u00e9", "cafe\u0301"],
    ["\uff4e\uff4f\uff54\uff45", "note"],
  ])("fold %s and %s to one form", (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
    expect(collidingNames([a, b])).toEqual([[a, b]]);
  });

  it("are not names that differ by a letter, nor one name twice", () => {
    expect(collidingNames(["get_note", "set_note", "get_notes"])).toEqual([]);
    expect(collidingNames(["get_note", "get_note"])).toEqual([]);
  });

  it("are told in pairs with the first that had the form", () => {
    expect(collidingNames(["ab", "a-b", "a_b"])).toEqual([
      ["ab", "a-b"],
      ["ab", "a_b"],
    ]);
  });
});

it("positions of repeated values are told, the first of each left out", () => {
  expect(repeatedAt(["a", "b", "a", "a", "b", "c"])).toEqual([2, 3, 4]);
  expect(repeatedAt([])).toEqual([]);
});
