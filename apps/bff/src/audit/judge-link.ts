import type { Buffer } from "node:buffer";
import { linkDigest, type Position } from "./link.ts";
import { type AuditFields, auditRowDigest } from "./row-digest.ts";

/** A link as the database has it, with the row it names; no fields where that row is gone. */
export interface FoundLink {
  readonly seq: number;
  readonly rowId: string;
  readonly rowDigest: Buffer;
  readonly previous: Buffer;
  readonly link: Buffer;
  readonly fields: AuditFields | undefined;
}

/** What is wrong with the chain at one place. */
export type FindingKind =
  | "link_missing"
  | "link_edited"
  | "row_missing"
  | "row_edited"
  | "history_rewritten"
  | "tail_cut";

/** The first thing that is wrong; `rowId` is null where no row can be named. */
export interface Finding {
  readonly kind: FindingKind;
  readonly seq: number;
  readonly rowId: string | null;
}

/** What is wrong with the link found after `before`; undefined where it continues the chain and its row is as sealed. */
export function judgeLink(before: Position, found: FoundLink): Finding | undefined {
  const seq = before.seq + 1;
  if (found.seq !== seq) return { kind: "link_missing", seq, rowId: null };
  const { rowId, fields } = found;
  const link = linkDigest(before.link, seq, BigInt(rowId), found.rowDigest);
  if (!found.previous.equals(before.link) || !found.link.equals(link))
    return { kind: "link_edited", seq, rowId };
  if (fields === undefined) return { kind: "row_missing", seq, rowId };
  return auditRowDigest(fields).equals(found.rowDigest)
    ? undefined
    : { kind: "row_edited", seq, rowId };
}
