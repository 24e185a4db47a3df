import * as z from "zod";
import type { ToolDefinition } from "./definition.ts";
import { itemId } from "./fields.ts";
import { item } from "./items.ts";
import { ok, refused } from "./outcome.ts";

/** Takes an item from the queue. */
export const claimItem: ToolDefinition = {
  name: "workbench_claim_item",
  title: "Claim a work item",
  description:
    "Moves a queued work item to claimed, with you as its assignee. Refused if the item is not queued. " +
    "Writes, and needs no approval. If the outcome is unknown, read the item before calling again.",
  inputSchema: z.strictObject({ itemId }),
  outputSchema: z.discriminatedUnion("status", [ok({ item }), refused]),
};
