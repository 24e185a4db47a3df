import * as z from "zod";
import { effecting } from "../service-error.ts";
import { itemId, sha256Hex, text } from "./fields.ts";
import { type Tool, answerWith, directTool } from "./tool.ts";

/** Hands a change in. */
export const submitChange: Tool = directTool(
  "workbench_submit_change",
  z.strictObject({ itemId, summary: text(4000), artifactSha256: sha256Hex }),
  async (database, caller, args) =>
    answerWith(
      await effecting(() =>
        database.submitChange(caller, args.itemId, args.summary, args.artifactSha256),
      ),
      (item) => ({ item }),
    ),
);
