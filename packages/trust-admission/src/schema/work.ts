/** What may still be done to judge the schemas of one surface. */
export interface Work {
  /** For patterns; a unit is about one comparison. */
  left: number;
  /** Subschemas that may still be looked at. */
  subschemas: number;
}

/** Patterns: some thousand of the usual kind. Subschemas: the largest of 17 recorded surfaces has 1,149. Well under a second. */
const PATTERN_WORK = 4_000_000;
export const MAX_SUBSCHEMAS_OF_SURFACE = 20_000;

/** The work that may be done for one surface. */
export function workForSurface(): Work {
  return { left: PATTERN_WORK, subschemas: MAX_SUBSCHEMAS_OF_SURFACE };
}
