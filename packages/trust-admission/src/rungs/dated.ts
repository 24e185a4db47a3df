import type { Entry, Instant, Refusal, RefusalCode } from "@eve/registry-schema";
import { formatInstant, instantMs } from "@eve/registry-schema";
import { no } from "../rung.ts";

/** A dated part of an entry: when it was observed, when it expires, and the latest expiry the decision allows. */
export interface Dated {
  readonly part: "health" | "evaluation" | "review";
  readonly observedField: string;
  readonly observedAt: Instant;
  readonly expiresAt: Instant;
  /** Epoch ms. */
  readonly latestExpiryMs: number;
}

/** Refuses a future observation, an expiry that is now or past, and a window longer than allowed. Equal to now is expired. */
export function judgeDates(entry: Entry, dated: Dated, now: number): readonly Refusal[] {
  const code = (cause: "future" | "expired" | "window_exceeded"): RefusalCode =>
    `${dated.part}.${cause}`;
  const at = (): string => formatNow(now); // only a refusal needs it
  return [
    ...(instantMs(dated.observedAt) <= now
      ? []
      : no(entry, code("future"), dated.observedField, `no later than ${at()}`, dated.observedAt)),
    ...(now < instantMs(dated.expiresAt)
      ? []
      : no(
          entry,
          code("expired"),
          `${dated.part}.expiresAt`,
          `later than ${at()}`,
          dated.expiresAt,
        )),
    ...(instantMs(dated.expiresAt) <= dated.latestExpiryMs
      ? []
      : no(
          entry,
          code("window_exceeded"),
          `${dated.part}.expiresAt`,
          `no later than ${formatInstant(dated.latestExpiryMs)}`,
          dated.expiresAt,
        )),
  ];
}

/** The clock as text; a clock no date can show stays a number. */
export function formatNow(now: number): string {
  return Math.abs(now) <= 8.64e15 ? formatInstant(now) : String(now);
}
