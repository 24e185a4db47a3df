import { formatInstant, type Instant } from "@eve/registry-schema";

/** A column's time as an instant with ms. */
export function instantOf(at: Date): Instant {
  return formatInstant(at.getTime());
}
