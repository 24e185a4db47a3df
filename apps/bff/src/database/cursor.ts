import { Buffer } from "node:buffer";

/** The last item of a page: where the next one goes on. */
export interface Position {
  readonly updatedAt: Date;
  readonly id: string;
}

const FORM = /^(\d{1,14}) ([A-Za-z0-9_-]{1,64})$/;

/** A position as opaque text. */
export function encodeCursor({ updatedAt, id }: Position): string {
  return Buffer.from(`${updatedAt.getTime()} ${id}`).toString("base64url");
}

/** Reads what {@link encodeCursor} wrote; `undefined` for anything else. */
export function decodeCursor(cursor: string): Position | undefined {
  const [, ms, id] = FORM.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (ms === undefined || id === undefined) return undefined;
  const position = { updatedAt: new Date(Number(ms)), id };
  return encodeCursor(position) === cursor ? position : undefined;
}
