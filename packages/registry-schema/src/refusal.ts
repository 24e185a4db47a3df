import { CATALOGUE, type RefusalCode } from "./catalogue.ts";

/** Why something is unavailable: for people and logs. What reaches a model is {@link PublicRefusal}. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly title: string;
  /** The id of the entry concerned; `null` where the whole registry or program is. */
  readonly integration: string | null;
  /** The field, tool or file concerned. */
  readonly subject: string;
  /** What the registry says; a digest, name, instant or count. */
  readonly expected: string;
  /** What was found; never text that a live server sent. */
  readonly actual: string;
  readonly remedy: string;
}

/** At least one refusal, in rung order. */
export type Refusals = readonly [Refusal, ...Refusal[]];

/** The part of a refusal that may reach a model or a client. */
export interface PublicRefusal {
  readonly code: RefusalCode;
  readonly title: string;
  readonly remedy: string;
}

/** Where a refusal arose. */
export interface RefusalPlace {
  readonly integration?: string | null;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
}

/** Makes the refusal of `code`; title and remedy come from the catalogue. */
export function refusal(code: RefusalCode, place: RefusalPlace): Refusal {
  const { title, remedy } = CATALOGUE[code];
  return {
    code,
    title,
    integration: place.integration ?? null,
    subject: place.subject,
    expected: place.expected,
    actual: place.actual,
    remedy,
  };
}

/** Cuts a refusal down to what may reach a model: code, title, remedy. */
export function publicRefusal({ code, title, remedy }: Refusal): PublicRefusal {
  return { code, title, remedy };
}

/** Whether the list holds a refusal, as a type. */
export function isRefused(refusals: readonly Refusal[]): refusals is Refusals {
  return refusals.length > 0;
}
