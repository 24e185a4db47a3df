import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { type Fields, fieldBytes } from "../field-bytes.ts";

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
export type AuditFields = Fields;

const DOMAIN = Buffer.from("eve/audit-row/1\0");

/** SHA-256 of the domain, a zero byte and the fields' bytes: what the database's `bff.audit_row_digest` is, made without it. */
export function auditRowDigest(fields: AuditFields): Buffer {
  return hash("sha256", Buffer.concat([DOMAIN, fieldBytes(fields)]), "buffer");
}
