import type { Refusal } from "@eve/registry-schema";
import type { Preview } from "./preview.ts";
import { no } from "./rule.ts";

/** An item as it stands when its consent is about to be consumed, under the same lock. */
export interface ItemNow {
  readonly itemId: string;
  readonly state: string;
  readonly version: number;
}

/** Whether the item is still exactly what the preview showed: consent.item_changed, which voids the approval. */
export function judgeItem(preview: Preview, item: ItemNow | undefined): readonly Refusal[] {
  const same =
    item?.itemId === preview.itemId &&
    item.state === preview.from &&
    item.version === preview.version;
  return same
    ? []
    : no(
        "consent.item_changed",
        "item",
        `${preview.from}, version ${preview.version}`,
        item ? "another state or version" : "no such item",
      );
}
