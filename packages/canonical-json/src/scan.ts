import type { JsonFaultCode } from "./json-fault.ts";

/** What a scan knows: the document, the rules, and the first fault it met. A scan builds nothing. */
export interface Scan {
  /** Valid UTF-8. */
  readonly bytes: Uint8Array;
  /** What the bytes decode to. */
  readonly text: string;
  /** How many more bytes than UTF-16 code units lie behind: a byte index less this is an index of the text. */
  shift: number;
  readonly maxDepth: number;
  readonly maxValues: number;
  /** Values that were begun so far. */
  values: number;
  /** Whether the rules of a registry file apply, not only those of the wire. */
  readonly registry: boolean;
  /** Whether the string scanned last held an escape. */
  escaped: boolean;
  fault: ScanFault | undefined;
}

/** A fault and how many bytes lie before it. */
interface ScanFault {
  readonly code: JsonFaultCode;
  readonly offset: number;
  readonly reason: string;
}

/** What a `scanX` function answers in place of the next index once it has recorded a fault. */
export const STOPPED = -1;

/** Records the fault that ends the scan. */
export function stop(
  scan: Scan,
  code: JsonFaultCode,
  offset: number,
  reason: string,
): typeof STOPPED {
  scan.fault = { code, offset, reason };
  return STOPPED;
}
