import * as z from "zod";
import type { ToolDefinition } from "./definition.ts";
import { itemId, sha256Hex, text } from "./fields.ts";
import { item } from "./items.ts";
import { ok, refused } from "./outcome.ts";

/** Hands a change in. */
export const submitChange: ToolDefinition = {
  name: "workbench_submit_change",
  title: "Submit a change for a work item",
  description:
    "Moves a work item that you have claimed to submitted, with a summary and the SHA-256 of the finished artifact. " +
    "Nothing is published: shipping is a call of its own. Refused if the item is not claimed by you. " +
    "Writes, and needs no approval. If the outcome is unknown, read the item before calling again.",
  inputSchema: z.strictObject({
    itemId,
    summary: text(4000).describe("What the change does, for the person who decides on shipping it"),
    artifactSha256: sha256Hex.describe("SHA-256 of the artifact, 64 lower-case hex digits"),
  }),
  outputSchema: z.discriminatedUnion("status", [ok({ item }), refused]),
};
