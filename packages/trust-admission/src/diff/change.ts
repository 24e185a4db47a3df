/**
 * What a change between two surfaces amounts to, most urgent first. It informs whoever reads the difference; it admits
 * nothing, and no grade moves trust or a risk class from one tool to another.
 */
export const GRADES = [
  /** A hint that warned warns no more: `readOnlyHint` false to true, `destructiveHint` true to false. */
  "hint_weakened",
  /** What was called before may be refused now, or answered in another way. */
  "breaking",
  /** More is taken or offered than before. */
  "loosened",
  /** A tool that is gone and a tool that is new differ in their name alone. */
  "looks_renamed",
  /** Only what the machine of the server gives differs: a folder, a user, a platform. */
  "looks_host_dependent",
  /** A hint that did not warn warns now. */
  "hint_strengthened",
  /** Words for people and models. */
  "prose",
  /** The same items in another order, where none means anything. */
  "order_only",
  /** Another way to write the same: a dialect, `true` for `{}`. */
  "notation",
] as const;

export type Grade = (typeof GRADES)[number];

/** One difference. */
export interface Change {
  readonly grade: Grade;
  /** RFC 6901 pointer; tools, prompts and resources by their name or URI, hidden characters as ⟨U+200B⟩. */
  readonly field: string;
  /** What stood there and what stands there now, on one line each, hidden characters as ⟨U+200B⟩; absent where nothing. */
  readonly before?: string;
  readonly after?: string;
}

/** The changes most urgent first, otherwise in the order of the surface. */
export function mostUrgentFirst(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade));
}
