import * as z from "zod";
import { channel, itemId } from "./fields.ts";
import { type Tool, publishTool } from "./tool.ts";

/** Ships a submitted change to a channel. */
export const shipItem: Tool = publishTool(
  "workbench_ship_item",
  z.strictObject({ itemId, channel }),
  (args, item) => ({ status: "ok", item, channel: args.channel }),
);
