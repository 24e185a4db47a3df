import { Buffer } from "node:buffer";
import { hash } from "node:crypto";

/** The columns of an audit row, in the order in which its digest takes them. All that a row says is in it. */
export const AUDIT_COLUMNS = [
  "id",
  "at",
  "tenant",
  "actor",
  "principal",
  "credential",
  "action",
  "subject",
  "code",
  "detail",
] as const;

/** A row's columns as texts in the order of {@link AUDIT_COLUMNS}; `at` is whole µs since 1970. */
export type AuditFields = readonly (string | null)[];

const DOMAIN = Buffer.from("eve/audit-row/1\0");
const NONE = Buffer.from([0]);

/**
 * SHA-256 of the domain, a zero byte and each field: 00 for none; else 01, its length in bytes (4 bytes, big-endian) and
 * its UTF-8. The same as the database's `bff.audit_row_digest`, made without it.
 */
export function auditRowDigest(fields: AuditFields): Buffer {
  return hash("sha256", Buffer.concat([DOMAIN, ...fields.map(framed)]), "buffer");
}

function framed(field: string | null): Buffer {
  if (field === null) return NONE;
  const text = Buffer.from(field);
  const head = Buffer.alloc(5);
  head.writeUInt8(1);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}
