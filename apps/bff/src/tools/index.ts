import { addNote } from "./add-note.ts";
import { claimItem } from "./claim-item.ts";
import { getItem } from "./get-item.ts";
import { listItems } from "./list-items.ts";
import { shipItem } from "./ship-item.ts";
import { submitChange } from "./submit-change.ts";
import type { Tool } from "./tool.ts";
import { verifyItem } from "./verify-item.ts";

/** The seven tools by name: what the workbench forwards. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [listItems, getItem, claimItem, addNote, submitChange, shipItem, verifyItem].map((tool) => [
    tool.name,
    tool,
  ]),
);
