import type { JsonObject } from "@eve/canonical-json";
import type { Step } from "../step.ts";
import { changeOneDigit } from "../tamper.ts";
import type { Admitted } from "./admit-workbench.ts";
import { refusedCopy } from "./refused-copy.ts";
import { objectAt, objectsAt, textAt } from "../json-members.ts";

/** One digit of a pinned input schema is changed in the registry. */
export const changedPin: Step<Admitted> = refusedCopy({
  id: "pin-changed",
  doing: "Changing one digit of a schema pin in the registry",
  headline: "Refused, exit 78: one digit of an input schema's pin changed in the registry",
  code: "surface.schema_drift",
  entry: withChangedPin,
});

/** The entry with the first digit of its first tool's input schema pin changed. */
export function withChangedPin(entry: JsonObject): JsonObject {
  const [tool = {}, ...others] = objectsAt(entry, "tools");
  const pins = objectAt(tool, "pins");
  return {
    ...entry,
    tools: [
      { ...tool, pins: { ...pins, inputSchema: changeOneDigit(textAt(pins, "inputSchema")) } },
      ...others,
    ],
  };
}
