import * as z from "zod";
import type { ToolDefinition } from "./definition.ts";
import { itemId, text } from "./fields.ts";
import { note } from "./items.ts";
import { ok, refused } from "./outcome.ts";

/** Appends a note. */
export const addNote: ToolDefinition = {
  name: "workbench_add_note",
  title: "Add a note to a work item",
  description:
    "Appends one note to a work item, in any state. Notes cannot be changed or removed and everyone in the tenant can read them: " +
    "put no secret in one. Each call adds another note, so if the outcome is unknown, read the item before calling again. " +
    "Writes, and needs no approval.",
  inputSchema: z.strictObject({ itemId, text: text(4000).describe("The note, as plain text") }),
  outputSchema: z.discriminatedUnion("status", [ok({ note }), refused]),
};
