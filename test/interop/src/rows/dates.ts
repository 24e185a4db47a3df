import { addCalendarMonths, HEALTH_WINDOW_MS } from "@eve/registry-schema";
import { at, DAY_MS, withValue } from "@eve/test-kit";
import type { Change } from "../trial.ts";
import { type RefusalRow, set } from "./row.ts";

const HOUR_MS = DAY_MS / 24;

type Part = "health" | "evaluation" | "review";

/** Instants that programs read differently: none is a real UTC instant of the contract's form. */
const UNREAL: readonly (readonly [id: string, instant: string])[] = [
  ["RT-01", "2026-02-29T00:00:00Z"],
  ["RT-02", "2026-04-31T00:00:00Z"],
  ["RT-04", "2026-06-30T23:59:60Z"],
  ["RT-05", "2026-12-01T00:00:00+00:00"],
  ["RT-07", "2026-12-01t00:00:00z"],
  ["RT-08", "+012026-01-01T00:00:00Z"],
  ["RT-10", "2026-12-01T00:00:00.999999999Z"],
  ["RT-11", "２026-01-01T00:00:00Z"],
];

/** What an entry is refused for at `now` (epoch ms): the rows begin to run a moment later. */
export function dateRows(now: number): readonly RefusalRow[] {
  return [
    ...UNREAL.map(([id, instant]): RefusalRow => ({
      what: `${id} the instant ${JSON.stringify(instant)}`,
      entry: set(["health", "observedAt"], instant),
      code: "registry.field_invalid",
    })),
    {
      what: "RT-13 an expiry before its observation",
      entry: set(["evaluation", "expiresAt"], at(now - 1)),
      code: "registry.field_invalid",
    },
    ...datedRows("health", now, now + HEALTH_WINDOW_MS),
    ...datedRows("evaluation", now, addCalendarMonths(now, 6)),
    ...datedRows("review", now, addCalendarMonths(now, 6)),
    {
      what: "a clock an hour behind the newest change",
      entry: set(["lifecycle", "since"], at(now + HOUR_MS)),
      code: "clock.behind",
    },
  ];
}

function datedRows(part: Part, now: number, latest: number): readonly RefusalRow[] {
  const observed = part === "review" ? "reviewedAt" : "observedAt";
  const dates =
    (from: number, to: number): Change =>
    (entry) =>
      withValue(withValue(entry, [part, observed], at(from)), [part, "expiresAt"], at(to));
  return [
    {
      what: `RT-14 a ${part} that expires at this very moment`,
      entry: dates(now - DAY_MS, now),
      code: `${part}.expired`,
    },
    {
      what: `a ${part} observed in an hour`,
      entry: dates(now + HOUR_MS, now + DAY_MS),
      code: `${part}.future`,
    },
    {
      what: `RT-16 a ${part} one millisecond longer than its window`,
      entry: dates(now, latest + 1),
      code: `${part}.window_exceeded`,
    },
  ];
}
