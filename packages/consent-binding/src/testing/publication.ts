import type { JsonObject, JsonValue } from "@eve/canonical-json";
import type { ItemState } from "../item-state.ts";
import type { PreviewEffect } from "../preview.ts";

/** The move that a publishing call of the workbench asks for. */
export interface Publication {
  readonly itemId: string;
  readonly from: ItemState;
  readonly to: ItemState;
  readonly effect: PreviewEffect;
}

/** Reads a publishing call of the workbench; `undefined` for another tool or other arguments. */
export function publicationOf(tool: string, fields: JsonObject): Publication | undefined {
  if (tool === "workbench_ship_item") return shipment(fields);
  if (tool === "workbench_verify_item") return verification(fields);
  return undefined;
}

function shipment({ itemId, channel, ...rest }: JsonObject): Publication | undefined {
  if (!isText(itemId) || !isText(channel) || Object.keys(rest).length > 0) return undefined;
  return { itemId, from: "submitted", to: "shipped", effect: { channel } };
}

function verification({ itemId, outcome, reason, ...rest }: JsonObject): Publication | undefined {
  if (!isText(itemId) || !isText(reason) || Object.keys(rest).length > 0) return undefined;
  if (outcome !== "verified" && outcome !== "rejected") return undefined;
  return { itemId, from: "shipped", to: outcome, effect: { outcome, reason } };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}
