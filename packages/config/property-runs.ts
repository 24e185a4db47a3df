/**
 * How many times as long a run that hunts takes: `EVE_PROPERTY_FACTOR`, a whole number from 1, or 1 where it is not
 * set. `pnpm nightly` sets it to 100.
 */
export function propertyFactor(): number {
  const text = process.env["EVE_PROPERTY_FACTOR"] ?? "1";
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new TypeError("EVE_PROPERTY_FACTOR is a whole number from 1 to 99999");
  return Number(text);
}

/** How many cases a property is tried with: so many as usual, or that many times the factor. */
export function propertyRuns(usual: number): number {
  return usual * propertyFactor();
}
