import { Buffer } from "node:buffer";

/** The fields of a row as texts, in their order; `null` for none. */
export type Fields = readonly (string | null)[];

const NONE = Buffer.from([0]);

/**
 * One spelling for a list of fields: for each 00 where there is none; else 01, its length in bytes (4 bytes, big-endian)
 * and its UTF-8. No two lists have the same. The database's `bff.framed` makes the same.
 */
export function fieldBytes(fields: Fields): Buffer {
  return Buffer.concat(fields.map(framed));
}

function framed(field: string | null): Buffer {
  if (field === null) return NONE;
  const text = Buffer.from(field);
  const head = Buffer.alloc(5);
  head.writeUInt8(1);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}
