import type { JsonObject } from "@eve/canonical-json";
import type { ConsentState } from "@eve/consent-binding";
import type { RefusalCode } from "@eve/registry-schema";

/** Why a request is refused: a code of the catalogue, and what may be told beside its words. */
export interface Failure {
  readonly ok: false;
  readonly code: RefusalCode;
  /** Where in the request: a field's path or a position, never a value that was sent. */
  readonly detail?: string;
  /** What was recorded when an approval was used. */
  readonly outcome?: JsonObject;
  /** The state of a request that was decided before. */
  readonly state?: ConsentState;
  /** Permissions that the credential lacks. */
  readonly scopes?: readonly string[];
}

/** What was asked, or why not. A refusal is a value; only a fault throws. */
export type Result<T> = { readonly ok: true; readonly value: T } | Failure;

/** The refusal of a code. */
export function fail(code: RefusalCode, more: Omit<Failure, "ok" | "code"> = {}): Failure {
  return { ok: false, code, ...more };
}

/** A success. */
export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}
