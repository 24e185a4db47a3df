import { isJsonObject, type JsonObject } from "@eve/canonical-json";
import type { Change, Grade } from "./change.ts";
import { change, diffLeaves, diffMembers, isEqual, type Maybe, textChange } from "./diff-json.ts";
import { diffSchema } from "./diff-schema.ts";

/** Each hint, what it is where it is not given (MCP 2025-11-25, ToolAnnotations), and the value that warns. */
const HINTS: ReadonlyMap<string, { readonly absent: boolean; readonly warns: boolean }> = new Map([
  ["readOnlyHint", { absent: false, warns: false }],
  ["destructiveHint", { absent: true, warns: true }],
  ["idempotentHint", { absent: false, warns: false }],
  ["openWorldHint", { absent: true, warns: true }],
]);

/** What differs between two definitions of one tool. */
export function diffTool(before: JsonObject, after: JsonObject, field: string): readonly Change[] {
  return diffMembers(before, after, field, (name, inner, old, now) => {
    switch (name) {
      case "description":
      case "title":
        return [textChange(inner, old, now)];
      case "inputSchema":
        return diffSchema(old, now, inner, "input");
      case "outputSchema":
        return diffOutput(old, now, inner);
      case "annotations":
        return diffAnnotations(old, now, inner);
      default:
        return diffLeaves(old, now, inner, "breaking");
    }
  });
}

/** A caller that reads no structured answer is not broken by a new one. */
function diffOutput(before: Maybe, after: Maybe, field: string): readonly Change[] {
  if (before === undefined) return [change("loosened", field, before, after)];
  if (after === undefined) return [change("breaking", field, before, after)];
  return diffSchema(before, after, field, "output");
}

function diffAnnotations(before: Maybe, after: Maybe, field: string): readonly Change[] {
  return diffMembers(objectOr(before), objectOr(after), field, (name, inner, old, now) => {
    if (name === "title") return [textChange(inner, old, now)];
    return [change(hintGrade(name, old, now), inner, old, now)];
  });
}

function hintGrade(name: string, before: Maybe, after: Maybe): Grade {
  const hint = HINTS.get(name);
  if (!hint) return "breaking";
  const [old, now] = [before ?? hint.absent, after ?? hint.absent];
  if (isEqual(old, now)) return "notation";
  return isEqual(old, hint.warns) ? "hint_weakened" : "hint_strengthened";
}

function objectOr(value: Maybe): JsonObject {
  return isJsonObject(value) ? value : {};
}
