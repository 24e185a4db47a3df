import { type Refusal, refusal } from "@eve/registry-schema";
import { printablePointer } from "../printable.ts";
import type { Surface } from "../surface.ts";
import { linkFaults } from "./link-faults.ts";

/** Most faults that are told of one surface; one is enough to refuse it. */
const MAX_REFUSALS = 1_000;

/**
 * Refuses the icons and links of a surface that a client must not show or follow, the first 1,000:
 * `surface.icon_unsafe`, `surface.link_unsafe`.
 */
export function judgeLinks(integration: string, surface: Surface): readonly Refusal[] {
  const refusals: Refusal[] = [];
  for (const { code, field, expected, actual } of linkFaults(surface)) {
    refusals.push(
      refusal(code, { integration, subject: printablePointer(field), expected, actual }),
    );
    if (refusals.length === MAX_REFUSALS) break;
  }
  return refusals;
}
