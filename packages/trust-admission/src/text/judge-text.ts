import { type Refusal, refusal } from "@eve/registry-schema";
import type { Surface } from "../surface.ts";
import { findHiddenText } from "./hidden-text.ts";
import { printablePointer } from "../printable.ts";

/** One text of a surface in which a review allows hidden code points, as `U+200B`. */
export interface TextException {
  readonly field: string;
  readonly codePoints: readonly string[];
}

/** Refuses each text of a surface that hides something no exception names: `surface.text_unsafe`. */
export function judgeText(
  integration: string,
  surface: Surface,
  exceptions: readonly TextException[],
): readonly Refusal[] {
  return findHiddenText(surface).flatMap(({ field, codePoints }) => {
    const excepted = exceptions.filter((one) => one.field === field);
    const allowed = new Set(excepted.flatMap((one) => one.codePoints));
    const hidden = codePoints.filter((point) => !allowed.has(point));
    return hidden.length === 0
      ? []
      : [
          refusal("surface.text_unsafe", {
            integration,
            subject: printablePointer(field),
            expected: "text that shows all it holds",
            actual: hidden.slice(0, 20).join(", "),
          }),
        ];
  });
}
