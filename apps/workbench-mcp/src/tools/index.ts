import { addNote } from "./add-note.ts";
import { claimItem } from "./claim-item.ts";
import type { ToolDefinition } from "./definition.ts";
import { getItem } from "./get-item.ts";
import { listItems } from "./list-items.ts";
import { shipItem } from "./ship-item.ts";
import { submitChange } from "./submit-change.ts";
import { verifyItem } from "./verify-item.ts";

/** The workbench's whole tool set, in the order it is listed. */
export const TOOLS: readonly ToolDefinition[] = [
  listItems,
  getItem,
  claimItem,
  addNote,
  submitChange,
  shipItem,
  verifyItem,
];
