import type { JsonObject } from "@eve/canonical-json";
import type { PreviewEffect } from "@eve/consent-binding";
import * as z from "zod";
import type { ItemState } from "./items.ts";
import { isStorable } from "./storable.ts";

/** The move that a publishing call asks for. */
export interface Publication {
  readonly itemId: string;
  readonly from: ItemState;
  readonly to: ItemState;
  readonly effect: PreviewEffect;
}

const itemId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
const shipment = z.strictObject({ itemId, channel: z.enum(["internal", "beta", "stable"]) });
const verification = z.strictObject({
  itemId,
  outcome: z.enum(["verified", "rejected"]),
  reason: z
    .string()
    .min(1)
    .max(1000)
    .refine((text) => isStorable(text)),
});

/** Reads a publishing call: submitted → shipped, shipped → verified or rejected; `undefined` for anything else. */
export function publicationOf(tool: string, fields: JsonObject): Publication | undefined {
  if (tool === "workbench_ship_item") {
    const { data } = shipment.safeParse(fields);
    return (
      data && {
        itemId: data.itemId,
        from: "submitted",
        to: "shipped",
        effect: { channel: data.channel },
      }
    );
  }
  if (tool === "workbench_verify_item") {
    const { data } = verification.safeParse(fields);
    if (!data) return undefined;
    const { outcome, reason } = data;
    return { itemId: data.itemId, from: "shipped", to: outcome, effect: { outcome, reason } };
  }
  return undefined;
}
