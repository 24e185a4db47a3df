import { type Refusal, type RefusalCode, refusal } from "@eve/registry-schema";

/** One question about a consent. It answers why not, or nothing; it never grants. */
export type Rule<Case> = (on: Case) => readonly Refusal[];

/** A rule's refusal: the field or subject, what it should be, what it is. */
export function no(
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
  integration: string | null = null,
): readonly [Refusal] {
  return [refusal(code, { integration, subject, expected, actual })];
}

/**
 * Asks the rules in order and answers the refusals of the first that has any: what comes later may rest on it, and would
 * tell a stranger more than the first says. A rule that throws refuses `internal.error`.
 */
export function firstRefusals<Case>(rules: readonly Rule<Case>[], on: Case): readonly Refusal[] {
  for (const rule of rules) {
    const refusals = ask(rule, on);
    if (refusals.length > 0) return refusals;
  }
  return [];
}

function ask<Case>(rule: Rule<Case>, on: Case): readonly Refusal[] {
  try {
    return rule(on);
  } catch {
    return no("internal.error", "consent", "a decision", "an error");
  }
}
