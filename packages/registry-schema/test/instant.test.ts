import {
  addCalendarMonths,
  formatInstant,
  HEALTH_WINDOW_MS,
  instantMs,
  parseInstant,
  REVIEW_WINDOW_MONTHS,
} from "@eve/registry-schema";
import { DAY_MS, sixMonthsAfter } from "@eve/test-kit";
import { propertyRuns } from "@eve/config/property-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultsWith, firstOf } from "./kit.ts";

/** From 1970 to the end of 9999, in ms. */
const anyMs = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });

const two = (n: number): string => String(n).padStart(2, "0");

describe("parseInstant", () => {
  it.each([
    ["RT-01 29 February of a common year", "2026-02-29T00:00:00Z"],
    ["29 February of 2100", "2100-02-29T00:00:00Z"],
    ["30 February of a leap year", "2028-02-30T00:00:00Z"],
    ["RT-02 31 April", "2026-04-31T00:00:00Z"],
    ["31 June", "2026-06-31T00:00:00Z"],
    ["31 September", "2026-09-31T00:00:00Z"],
    ["31 November", "2026-11-31T00:00:00Z"],
    ["32 January", "2026-01-32T00:00:00Z"],
    ["day 0", "2026-01-00T00:00:00Z"],
    ["month 0", "2026-00-01T00:00:00Z"],
    ["month 13", "2026-13-01T00:00:00Z"],
    ["RT-04 a leap second", "2026-06-30T23:59:60Z"],
    ["hour 24", "2026-06-30T24:00:00Z"],
    ["minute 60", "2026-06-30T23:60:00Z"],
    ["RT-05 an offset of zero", "2026-12-01T00:00:00+00:00"],
    ["RT-05 an offset of 14 hours", "2026-12-01T00:00:00+14:00"],
    ["RT-05 an unknown offset", "2026-12-01T00:00:00-00:00"],
    ["no offset", "2026-12-01T00:00:00"],
    ["RT-07 lower-case letters", "2026-12-01t00:00:00z"],
    ["a space for T", "2026-12-01 00:00:00Z"],
    ["RT-08 an expanded year", "+012026-01-01T00:00:00Z"],
    ["RT-08 a negative year", "-000001-01-01T00:00:00Z"],
    ["a year before the epoch", "1969-12-31T23:59:59Z"],
    ["a five-digit year", "12026-01-01T00:00:00Z"],
    ["RT-10 nine fractional digits", "2026-12-01T00:00:00.999999999Z"],
    ["one fractional digit", "2026-12-01T00:00:00.9Z"],
    ["an empty fraction", "2026-12-01T00:00:00.Z"],
    ["a comma", "2026-12-01T00:00:00,999Z"],
    ["RT-11 full-width digits", "２026-01-01T00:00:00Z"],
    ["RT-11 Arabic-Indic digits", "٢٠٢٦-01-01T00:00:00Z"],
    ["RT-11 a space before", " 2026-12-01T00:00:00Z"],
    ["RT-11 a line feed after", "2026-12-01T00:00:00Z\n"],
    ["a date alone", "2026-12-01"],
    ["no seconds", "2026-12-01T00:00Z"],
    ["a week date", "2026-W49-2T00:00:00Z"],
    ["a number", "1796126400000"],
    ["nothing", ""],
  ])("refuses %s: registry.field_invalid", (_title, text) => {
    expect(parseInstant(text)).toBeUndefined();
    for (const path of [
      ["health", "observedAt"],
      ["health", "expiresAt"],
      ["evaluation", "expiresAt"],
      ["review", "reviewedAt"],
      ["lifecycle", "since"],
    ])
      expect(firstOf(faultsWith(path, text))).toBe(`registry.field_invalid ${path.join(".")}`);
  });

  it.each([
    "2028-02-29T00:00:00Z",
    "2000-02-29T23:59:59.999Z",
    "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "2026-12-01T00:00:00.000Z",
  ])("reads %s", (text) => {
    expect(parseInstant(text)).toBe(text);
  });

  it("reads back what formatInstant writes, for any moment", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const parsed = parseInstant(formatInstant(ms));
        expect(parsed && instantMs(parsed)).toBe(ms);
      }),
    );
  });

  it("accepts exactly the dates that exist", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1970, max: 2400 }),
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 33 }),
        (year, month, day) => {
          const text = `${year}-${two(month)}-${two(day)}T00:00:00Z`;
          const rolled = new Date(Date.UTC(year, month - 1, day));
          const exists =
            rolled.getUTCFullYear() === year &&
            rolled.getUTCMonth() === month - 1 &&
            rolled.getUTCDate() === day;
          expect(parseInstant(text) !== undefined).toBe(exists);
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it("does not depend on the time zone (RT-22)", () => {
    const before = process.env["TZ"];
    try {
      for (const zone of ["Pacific/Kiritimati", "America/St_Johns", "UTC"]) {
        process.env["TZ"] = zone;
        const parsed = parseInstant("2026-03-29T02:30:00Z");
        expect(parsed && instantMs(parsed)).toBe(Date.UTC(2026, 2, 29, 2, 30));
        expect(addCalendarMonths(Date.UTC(2026, 7, 31, 23, 30), 6)).toBe(
          Date.UTC(2027, 1, 28, 23, 30),
        );
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});

describe("the windows", () => {
  it("are 30 days and six months", () => {
    expect([HEALTH_WINDOW_MS, REVIEW_WINDOW_MONTHS]).toEqual([30 * DAY_MS, 6]);
  });

  it.each([
    ["2026-08-31T10:00:00Z", "2027-02-28T10:00:00Z"],
    ["2027-08-31T10:00:00Z", "2028-02-29T10:00:00Z"],
    ["2026-08-28T00:00:00.001Z", "2027-02-28T00:00:00.001Z"],
    ["2026-12-31T23:59:59.999Z", "2027-06-30T23:59:59.999Z"],
    ["2026-03-31T00:00:00Z", "2026-09-30T00:00:00Z"],
    ["2026-06-30T00:00:00Z", "2026-12-30T00:00:00Z"],
    ["2028-02-29T00:00:00Z", "2028-08-29T00:00:00Z"],
  ])("six months after %s is %s (RT-16)", (from, to) => {
    expect(formatInstant(addCalendarMonths(Date.parse(from), 6))).toBe(to);
  });

  it("agree with a count by days, for any moment", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(addCalendarMonths(ms, 6)).toBe(Date.parse(sixMonthsAfter(ms)));
      }),
    );
  });

  it("keep the time of day, never roll into a seventh month, and never run backwards", () => {
    fc.assert(
      fc.property(
        anyMs,
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: 0, max: 10 * DAY_MS }),
        (ms, months, later) => {
          const after = addCalendarMonths(ms, months);
          const [from, to] = [new Date(ms), new Date(after)];
          expect(((after % DAY_MS) + DAY_MS) % DAY_MS).toBe(((ms % DAY_MS) + DAY_MS) % DAY_MS);
          expect(
            to.getUTCFullYear() * 12 +
              to.getUTCMonth() -
              (from.getUTCFullYear() * 12 + from.getUTCMonth()),
          ).toBe(months);
          expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
          // A later moment on the same or a later day never has an earlier limit, but for times of day at a month's cut end.
          expect(addCalendarMonths(ms + later, months) + DAY_MS).toBeGreaterThan(after);
        },
      ),
    );
  });

  it("of zero months change nothing", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(addCalendarMonths(ms, 0)).toBe(ms);
      }),
    );
  });
});
