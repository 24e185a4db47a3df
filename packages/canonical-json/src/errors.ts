/**
 * Why a value has no canonical form. `number_invalid`: not finite. `string_invalid`: a lone surrogate in a string or a
 * name. `unsafe_key`: a member `__proto__`. `not_json`: undefined, a hole, a function, a symbol, a bigint, or an object
 * that is not plain. `too_deep`: more than 1024 levels, or a cycle. `domain_invalid`: a digest domain that is empty or
 * holds U+0000.
 */
export type CanonicalJsonErrorCode =
  | "number_invalid"
  | "string_invalid"
  | "unsafe_key"
  | "not_json"
  | "too_deep"
  | "domain_invalid";

/** A caller handed over what JSON cannot carry. Its message never quotes the value. */
export class CanonicalJsonError extends Error {
  override readonly name = "CanonicalJsonError";
  readonly code: CanonicalJsonErrorCode;

  constructor(code: CanonicalJsonErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
