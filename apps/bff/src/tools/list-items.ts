import * as z from "zod";
import { reading } from "../service-error.ts";
import { actorId, cursor, itemState } from "./fields.ts";
import { type Tool, answerWith, directTool } from "./tool.ts";

const DEFAULT_LIMIT = 20;

/** Reads the queue, page by page. */
export const listItems: Tool = directTool(
  "workbench_list_items",
  z.strictObject({
    state: itemState.exactOptional(),
    assignee: actorId.exactOptional(),
    cursor: cursor.exactOptional(),
    limit: z.int().min(1).max(100).default(DEFAULT_LIMIT),
  }),
  async (database, caller, filter) =>
    answerWith(await reading(() => database.listItems(caller, filter)), (page) => ({ ...page })),
);
