/**
 * What a caller did wrong. `binding.invalid`: the fields make no binding that could be read back. `key.too_short`: an
 * approval key of fewer than 32 bytes. `approval.forged`: a value that no store made out of an approval.
 */
export type ConsentErrorCode = "binding.invalid" | "key.too_short" | "approval.forged";

/** A fault of the calling code, never a decision about a consent. Its message quotes no value. */
export class ConsentError extends Error {
  override readonly name = "ConsentError";
  readonly code: ConsentErrorCode;

  constructor(code: ConsentErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}
