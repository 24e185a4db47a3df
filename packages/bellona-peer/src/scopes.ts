/** The one scope of this resource: to call its read-only tool. */
export const READ_SCOPE = "bellona:read";

/**
 * Which granted scopes satisfy a needed one (MUST-RS-08). There is no hierarchy yet; a scope that implies another is
 * added here and nowhere else.
 */
const SATISFIED_BY: Readonly<Record<string, readonly string[]>> = {
  [READ_SCOPE]: [READ_SCOPE],
};

/** Whether what was granted is enough for `needed`. */
export function isGranted(granted: readonly string[], needed: string): boolean {
  return SATISFIED_BY[needed]?.some((scope) => granted.includes(scope)) ?? false;
}
