import type { RefusalCode } from "@eve/registry-schema";
import type { Finding, FindingKind } from "../audit/judge-link.ts";

const WORDS: Readonly<
  Record<FindingKind, readonly [code: RefusalCode, expected: string, actual: string]>
> = {
  link_missing: ["audit.altered", "the next link of the chain", "none: it was removed"],
  link_edited: ["audit.altered", "the link as it was sealed", "another one: it was changed"],
  row_missing: ["audit.altered", "the row as it was sealed", "none: it was removed"],
  row_edited: ["audit.altered", "the row as it was sealed", "another one: it was changed"],
  history_rewritten: [
    "audit.rolled_back",
    "the link that the checkpoint has",
    "another one: the chain was made again after the checkpoint before",
  ],
  tail_cut: [
    "audit.rolled_back",
    "the link that the newest checkpoint has",
    "none: what was sealed last is not there",
  ],
};

/** The code of what is wrong. */
export function codeOfFinding({ kind }: Finding): RefusalCode {
  return WORDS[kind][0];
}

/** What is wrong, in words: where, what was expected there, what was found. */
export function tellFinding({ kind, seq, rowId }: Finding): {
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
} {
  const [, expected, actual] = WORDS[kind];
  const row = rowId === null ? "" : ` (audit row ${rowId})`;
  return { subject: `link ${seq}${row}`, expected, actual };
}
