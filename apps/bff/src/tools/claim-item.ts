import * as z from "zod";
import { effecting } from "../service-error.ts";
import { itemId } from "./fields.ts";
import { type Tool, answerWith, directTool } from "./tool.ts";

/** Takes an item from the queue. */
export const claimItem: Tool = directTool(
  "workbench_claim_item",
  z.strictObject({ itemId }),
  async (database, caller, args) =>
    answerWith(await effecting(() => database.claimItem(caller, args.itemId)), (item) => ({
      item,
    })),
);
