import * as z from "zod";
import { reading } from "../service-error.ts";
import { itemId } from "./fields.ts";
import { type Tool, answerWith, directTool } from "./tool.ts";

/** Reads one item with its notes and history. */
export const getItem: Tool = directTool(
  "workbench_get_item",
  z.strictObject({ itemId }),
  async (database, caller, args) =>
    answerWith(await reading(() => database.getItem(caller, args.itemId)), (item) => ({ item })),
);
