/** `answer_invalid`: a function answered what it never should; `migration_failed`: nothing of it was kept. */
export type DatabaseErrorCode = "database.answer_invalid" | "database.migration_failed";

/** A fault of the database or of its use: never a way to say no. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;
  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseError";
    this.code = code;
  }
}
