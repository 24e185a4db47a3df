import * as z from "zod";
import { itemId, text } from "./fields.ts";
import { type Tool, publishTool } from "./tool.ts";

/** Closes a shipped item as verified or rejected. */
export const verifyItem: Tool = publishTool(
  "workbench_verify_item",
  z.strictObject({ itemId, outcome: z.enum(["verified", "rejected"]), reason: text(1000) }),
  (_args, item) => ({ status: "ok", item }),
);
