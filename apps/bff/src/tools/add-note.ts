import * as z from "zod";
import { effecting } from "../service-error.ts";
import { itemId, text } from "./fields.ts";
import { type Tool, answerWith, directTool } from "./tool.ts";

/** Appends a note. */
export const addNote: Tool = directTool(
  "workbench_add_note",
  z.strictObject({ itemId, text: text(4000) }),
  async (database, caller, args) =>
    answerWith(await effecting(() => database.addNote(caller, args.itemId, args.text)), (note) => ({
      note,
    })),
);
