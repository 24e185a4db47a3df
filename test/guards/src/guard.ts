/** A piece of a source file, and what stands in its place while the guard is switched off. */
export interface Edit {
  /** From the repository's root. */
  readonly file: string;
  /** Once in the file. */
  readonly is: string;
  readonly off: string;
}

/** What refuses certain hostile inputs, and the tests that must fail where it does not. */
export interface Guard {
  /** In words: what it keeps. */
  readonly name: string;
  /** All of them together switch it off; more than one where the same thing is judged in several places. */
  readonly edits: readonly Edit[];
  /** The test files that feed the inputs, from the repository's root; all of one package. */
  readonly tests: readonly string[];
  /** Ids of hostile inputs: of each at least one test must fail. */
  readonly inputs: readonly string[];
}
