import * as z from "zod";
import { TOOLS } from "./index.ts";

/**
 * What each tool's arguments must be, as JSON Schema by the tool's name: to hold against what the workbench lists. What a
 * schema cannot say (well-formed text without NUL) is left out.
 */
export function inputSchemas(): ReadonlyMap<string, unknown> {
  return new Map(
    Array.from(TOOLS.values(), ({ name, shape }) => [name, z.toJSONSchema(shape, { io: "input" })]),
  );
}
