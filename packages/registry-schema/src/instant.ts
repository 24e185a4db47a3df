declare const instantBrand: unique symbol;
/** A UTC instant `YYYY-MM-DDTHH:MM:SS(.mmm)?Z` on a date that exists, to the millisecond at most. */
export type Instant = string & { readonly [instantBrand]: "Instant" };

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{3}))?Z$/;
const DAY_MS = 86_400_000;

/** Longest life of a health observation: 30 days, in ms (ADR-0092). */
export const HEALTH_WINDOW_MS: number = 30 * DAY_MS;
/** Longest life of an evaluation or a review: six calendar months (ADR-0092). */
export const REVIEW_WINDOW_MONTHS = 6;

/**
 * Reads an instant; `undefined` for any other form, a date that does not exist, a leap second, or a year before 1970.
 * `Date` would roll 29 February of a common year over to March; this does not.
 */
export function parseInstant(text: string): Instant | undefined {
  return isInstant(text) ? text : undefined;
}

function isInstant(text: string): text is Instant {
  const fields = FORM.exec(text)?.slice(1).map(Number);
  if (!fields) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const exists =
    year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return exists && hour <= 23 && minute <= 59 && second <= 59;
}

/** Milliseconds since the epoch of an instant. */
export function instantMs(instant: Instant): number {
  return Date.parse(instant);
}

/** The instant of `ms` milliseconds since the epoch; whole seconds are written without a fraction. */
export function formatInstant(ms: number): Instant {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- toISOString writes this form
  return new Date(ms).toISOString().replace(".000Z", "Z") as Instant;
}

/** `ms` plus calendar months in UTC; a day past the end of the target month becomes its last day. */
export function addCalendarMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const target = from.getUTCMonth() + months;
  const year = from.getUTCFullYear() + Math.floor(target / 12);
  const month = ((target % 12) + 12) % 12;
  const day = Math.min(from.getUTCDate(), daysInMonth(year, month + 1));
  return Date.UTC(year, month, day) + (ms - startOfDay(ms));
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
