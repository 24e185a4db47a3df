/** The moment at which every good value of the kit is good: 2026-12-01T12:00:00Z, in epoch ms. */
export const NOW: number = Date.UTC(2026, 11, 1, 12);

/** One day in ms. */
export const DAY_MS = 86_400_000;

/** An instant of the registry's form, `ms` since the epoch; whole seconds carry no fraction. */
export function at(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/**
 * The instant six calendar months after `ms`, found by trying days rather than by arithmetic: the same day of the
 * sixth month after, or the last day that month has.
 */
export function sixMonthsAfter(ms: number): string {
  const from = new Date(ms);
  const wanted = (from.getUTCMonth() + 6) % 12;
  for (let day = from.getUTCDate(); ; day--) {
    const candidate = new Date(ms);
    candidate.setUTCMonth(from.getUTCMonth() + 6, day);
    if (candidate.getUTCMonth() === wanted) return at(candidate.getTime());
  }
}
