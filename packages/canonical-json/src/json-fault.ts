import { positionIn } from "./position.ts";

/**
 * Why bytes were refused. `unparseable`: not UTF-8, a byte order mark, or not RFC 8259 grammar. `duplicate_key`: a name
 * used twice in one object, compared after unescaping. `unsafe_key`: a name that can reach a prototype.
 * `number_invalid`: a number that a double would change. `string_invalid`: a string that is not Unicode text, or holds
 * U+0000 where the profile refuses it. `too_deep`, `too_large`: over a limit.
 */
export type JsonFaultCode =
  | "unparseable"
  | "duplicate_key"
  | "unsafe_key"
  | "number_invalid"
  | "string_invalid"
  | "too_deep"
  | "too_large";

/** The first fault in a document. It never quotes the document, so it can be shown whoever wrote the bytes. */
export interface JsonFault {
  readonly code: JsonFaultCode;
  /** Bytes before the fault. */
  readonly offset: number;
  /** From 1; a line ends with LF. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** What was expected, as one short sentence for a person. */
  readonly reason: string;
}

/** The fault that has `offset` bytes before it. */
export function faultAt(
  code: JsonFaultCode,
  bytes: Uint8Array,
  offset: number,
  reason: string,
): JsonFault {
  return { code, ...positionIn(bytes, offset), reason };
}
