import * as z from "zod";
import { APPROVAL_TEXT } from "./approval-text.ts";
import type { ToolDefinition } from "./definition.ts";
import { consentId, itemId, text } from "./fields.ts";
import { item } from "./items.ts";
import { approvalRequired, ok, pending, refusedPublication } from "./outcome.ts";

/** Closes a shipped item. */
export const verifyItem: ToolDefinition = {
  name: "workbench_verify_item",
  title: "Verify a shipped work item",
  description: `Closes a shipped work item as verified or rejected, with a reason. ${APPROVAL_TEXT}`,
  inputSchema: z.strictObject({
    itemId,
    outcome: z.enum(["verified", "rejected"]).describe("How the item is closed"),
    reason: text(1000).describe("Why, for the operator and the item's history"),
    consentId: consentId.optional(),
  }),
  outputSchema: z.discriminatedUnion("status", [
    ok({ item }),
    approvalRequired,
    pending,
    refusedPublication,
  ]),
};
