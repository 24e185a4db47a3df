import type { RefusalCode } from "@eve/registry-schema";
import { withValue } from "@eve/test-kit";
import { describe, expect, test } from "vitest";
import { atInstant, canFakeClock, fakedClockNote } from "../src/faked-clock.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { OPENINGS, runToEnd } from "../src/run.ts";
import { type Change, goodWorkbench, workbenchTrial } from "../src/trial.ts";
import { wireSurface } from "../src/wire-surface.ts";

const LEAP_DAY = "2028-02-29T00:00:00Z";
const LAST_OF_AUGUST = "2028-08-31T00:00:00Z";
const ms = (instant: string): number => Date.parse(instant);
const goods = new Map(
  [LEAP_DAY, LAST_OF_AUGUST].map((instant) => [instant, goodWorkbench(ms(instant))]),
);

/** A workbench reviewed at one instant and started at another. */
function launchAt(reviewed: string, started: string, entry: Change = (value) => value) {
  const good = goods.get(reviewed);
  if (!good) throw new TypeError(`nothing was reviewed at ${reviewed}`);
  return atInstant(workbenchTrial(good, { entry }).launch, started);
}

const evaluatedUntil =
  (instant: string): Change =>
  (entry) =>
    withValue(entry, ["evaluation", "expiresAt"], instant);

describe
  .runIf(canFakeClock())
  .concurrent(`the built workbench, on the machine's own clock${fakedClockNote()}`, () => {
    test.each<[string, string, string, Change | undefined]>([
      ["at the instant of a review on a leap day", LEAP_DAY, LEAP_DAY, undefined],
      ["a second before its health expires", LEAP_DAY, "2028-03-29T23:59:59Z", undefined],
      [
        "with six months from the last of August to the last of February",
        LAST_OF_AUGUST,
        LAST_OF_AUGUST,
        evaluatedUntil("2029-02-28T00:00:00Z"),
      ],
    ])("serves %s", async (_, reviewed, started, entry) => {
      const { tools } = await wireSurface(launchAt(reviewed, started, entry), "2025-11-25");
      expect(tools).toHaveLength(7);
    });

    test.each<[string, RefusalCode, string, string, Change | undefined]>([
      [
        "RT-14 at the instant its health expires",
        "health.expired",
        LEAP_DAY,
        "2028-03-30T00:00:00Z",
        undefined,
      ],
      [
        "a second before it was observed: a clock set back",
        "health.future",
        LEAP_DAY,
        "2028-02-28T23:59:59Z",
        undefined,
      ],
      ["on a clock years behind", "health.future", LEAP_DAY, "2001-01-01T00:00:00Z", undefined],
      [
        "RT-19 on a clock ten years ahead",
        "health.expired",
        LEAP_DAY,
        "2038-02-28T00:00:00Z",
        undefined,
      ],
      [
        "RT-19 on a clock hundreds of years ahead",
        "health.expired",
        LEAP_DAY,
        "2468-01-01T00:00:00Z",
        undefined,
      ],
      [
        "RT-16 with six months from the last of August into March",
        "evaluation.window_exceeded",
        LAST_OF_AUGUST,
        LAST_OF_AUGUST,
        evaluatedUntil("2029-03-01T00:00:00Z"),
      ],
    ])("refuses %s: %s", async (_, code, reviewed, started, entry) => {
      const { line, id } = OPENINGS.legacy;
      const ended = await runToEnd(launchAt(reviewed, started, entry), { input: line });
      expect(toldBy(ended, code)).toEqual(refusedWith(code, id));
    });
  });
