/** What kept PostgreSQL from starting. */
export type LocalPostgresErrorCode =
  | "platform.unsupported"
  | "binaries.missing"
  | "user.missing"
  | "database.name_invalid"
  | "folder.invalid"
  | "folder.owner"
  | "folder.unreachable"
  | "folder.in_use"
  | "folder.incomplete"
  | "folder.other_version"
  | "folder.other_database"
  | "cluster.failed"
  | "server.failed"
  | "provider.unknown"
  | "provider.unavailable";

/** A fault of the local database: the message says to a person what to do, the code says to a program what it was. */
export class LocalPostgresError extends Error {
  readonly code: LocalPostgresErrorCode;

  constructor(code: LocalPostgresErrorCode, message: string, cause?: unknown) {
    super(`${message} (${code})`, cause === undefined ? {} : { cause });
    this.name = "LocalPostgresError";
    this.code = code;
  }
}

/** The `code` of a fault of the file system or of PostgreSQL's answer; undefined where there is none. */
export function faultCode(fault: unknown): string | undefined {
  if (typeof fault !== "object" || fault === null || !("code" in fault)) return undefined;
  return typeof fault.code === "string" ? fault.code : undefined;
}
