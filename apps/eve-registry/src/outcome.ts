import type { JsonObject } from "@eve/canonical-json";
import type { Refusal } from "@eve/registry-schema";

/** What a command found: lines for people, one JSON value for machines, and the refusals that make it exit 78. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly json: JsonObject;
  readonly refusals: readonly Refusal[];
}

/** EX_CONFIG: the registry refuses. */
export const EXIT_REFUSED = 78;
/** The command's words are off. */
export const EXIT_USAGE = 2;
/** A fault of the program. */
export const EXIT_FAULT = 70;

/** One refusal as lines a tired person can act on: code and title, place, remedy. */
export function refusalLines({
  code,
  title,
  integration,
  subject,
  expected,
  actual,
  remedy,
}: Refusal): readonly string[] {
  const where = integration === null ? subject : `${integration}: ${subject}`;
  return [
    `✗ ${code}  ${title}`,
    `    ${where}: expected ${expected}, found ${actual}`,
    `    → ${remedy}`,
  ];
}

/** An outcome that is only refusals. */
export function refusedOutcome(refusals: readonly Refusal[]): Outcome {
  return { lines: [], json: {}, refusals };
}
