import { REFUSAL_TABLE } from "./refusal-table.ts";

/** One cause of refusal. `http` and `jsonRpc` are what a client of that protocol sees; `exit` is sysexits' EX_CONFIG. */
export interface CatalogueRow {
  /** What is wrong, in a few words. */
  readonly title: string;
  /** What the reader does next, as an imperative. */
  readonly remedy: string;
  /** The sentence of the decision or the specification this follows. */
  readonly clause: string;
  /** Exit code of a program that refuses to start for this cause. */
  readonly exit: 78;
  /** HTTP status of a response that carries this code. */
  readonly http: number;
  /** JSON-RPC error code; outside −32768…−32000, to which the SDKs give meanings of their own. */
  readonly jsonRpc: number;
}

/** A stable code: dotted lower case, never renamed, never reused. */
export type RefusalCode = keyof typeof REFUSAL_TABLE;

/** Every refusal code with its meaning, remedy and mappings (ADR-0092: each failure has a stable refusal code). */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the keys it was given
export const CATALOGUE: Readonly<Record<RefusalCode, CatalogueRow>> = Object.freeze(
  Object.fromEntries(
    Object.entries(REFUSAL_TABLE).map(([code, [jsonRpc, http, clause, title, remedy]]) => [
      code,
      Object.freeze({ title, remedy, clause, exit: 78, http, jsonRpc }),
    ]),
  ),
) as Readonly<Record<RefusalCode, CatalogueRow>>;

/** Whether `text` is a code of the catalogue. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(CATALOGUE, text);
}
