/** What can be wrong with how Bellona is set up. */
export type BellonaErrorCode =
  | "config.issuer_invalid"
  | "config.keys_invalid"
  | "config.resource_invalid";

/** Bellona was set up wrongly; nothing was served. */
export class BellonaError extends Error {
  readonly code: BellonaErrorCode;

  constructor(code: BellonaErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BellonaError";
    this.code = code;
  }
}
