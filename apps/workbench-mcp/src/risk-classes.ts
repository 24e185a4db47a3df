import type { Entry } from "@eve/registry-schema";
import type { RiskClasses } from "./server-factory.ts";

/** The risk class of each tool that an entry pins. */
export function riskClassesOf(entry: Entry): RiskClasses {
  return new Map(entry.tools.map(({ name, riskClass }) => [name, riskClass]));
}
