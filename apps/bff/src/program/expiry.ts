import { type Instant, formatInstant, parseInstant } from "@eve/registry-schema";
import { InvalidArgumentError } from "commander";

const HOUR_MS = 3_600_000;
const SPAN = /^(?<count>\d{1,4})(?<unit>[hd])$/;

/** When a credential ends: an instant, or a span from `now` (epoch ms) such as `12h` or `30d`. Throws for what is past. */
export function expiryFrom(text: string, now: number): Instant {
  const { count, unit } = SPAN.exec(text)?.groups ?? {};
  const instant =
    count === undefined
      ? parseInstant(text)
      : formatInstant(now + Number(count) * (unit === "d" ? 24 : 1) * HOUR_MS);
  if (instant === undefined || Date.parse(instant) <= now)
    throw new InvalidArgumentError("Give an instant to come, or a span such as 12h or 30d.");
  return instant;
}
