import { judgeItem, parsePreview, voidsApproval } from "@eve/consent-binding";
import { CATALOGUE, isRefusalCode } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import { GOOD_BINDING } from "./kit.ts";

const ITEM = { itemId: "item-7", state: "submitted", version: 3 };

function previewOf(): NonNullable<ReturnType<typeof parsePreview>> {
  const preview = parsePreview(GOOD_BINDING.preview);
  if (!preview) throw new TypeError("a preview");
  return preview;
}

describe("the item of an approval", () => {
  it("is the one that the preview showed", () => {
    expect(judgeItem(previewOf(), ITEM)).toEqual([]);
  });

  it.each([
    ["is gone", undefined],
    ["is another", { ...ITEM, itemId: "item-8" }],
    ["has moved", { ...ITEM, state: "shipped" }],
    ["was changed once", { ...ITEM, version: 4 }],
    ["was set back", { ...ITEM, version: 2 }],
  ])("is refused where it %s: consent.item_changed", (_title, item) => {
    expect(judgeItem(previewOf(), item)).toMatchObject([{ code: "consent.item_changed" }]);
  });
});

describe("a refused execution", () => {
  it("ends the approval for what the operator has not seen alone", () => {
    const voiding = Object.keys(CATALOGUE).filter(
      (code) => isRefusalCode(code) && voidsApproval(code),
    );
    expect(voiding).toEqual(["consent.surface_changed", "consent.item_changed"]);
  });
});
