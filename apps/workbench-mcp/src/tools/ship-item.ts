import * as z from "zod";
import { APPROVAL_TEXT } from "./approval-text.ts";
import type { ToolDefinition } from "./definition.ts";
import { channel, consentId, itemId } from "./fields.ts";
import { item } from "./items.ts";
import { approvalRequired, ok, pending, refusedPublication } from "./outcome.ts";

/** Ships a submitted change. */
export const shipItem: ToolDefinition = {
  name: "workbench_ship_item",
  title: "Ship a work item",
  description: `Moves a submitted work item to shipped: its artifact goes out to a channel. ${APPROVAL_TEXT}`,
  inputSchema: z.strictObject({ itemId, channel, consentId: consentId.optional() }),
  outputSchema: z.discriminatedUnion("status", [
    ok({ item, channel }),
    approvalRequired,
    pending,
    refusedPublication,
  ]),
};
