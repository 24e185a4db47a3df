import { type Refusal, refusal } from "@eve/registry-schema";
import type { Surface } from "../surface.ts";
import { findHiddenText } from "./hidden-text.ts";
import { printablePointer } from "../printable.ts";

/** One text of a surface in which a review allows hidden code points, as `U+200B`. */
export interface TextException {
  readonly field: string;
  readonly codePoints: readonly string[];
}

/** Most texts that are told of one surface; one is enough to refuse it. */
const MAX_REFUSALS = 1_000;

/** Refuses each text of a surface that hides something no exception names, the first 1,000: `surface.text_unsafe`. */
export function judgeText(
  integration: string,
  surface: Surface,
  exceptions: readonly TextException[],
): readonly Refusal[] {
  const refusals: Refusal[] = [];
  for (const { field, codePoints } of findHiddenText(surface)) {
    const excepted = exceptions.filter((one) => one.field === field);
    const allowed = new Set(excepted.flatMap((one) => one.codePoints));
    const hidden = codePoints.filter((point) => !allowed.has(point));
    if (hidden.length === 0) continue;
    refusals.push(
      refusal("surface.text_unsafe", {
        integration,
        subject: printablePointer(field),
        expected: "text that shows all it holds",
        actual: hidden.slice(0, 20).join(", "),
      }),
    );
    if (refusals.length === MAX_REFUSALS) break;
  }
  return refusals;
}
