import type { Edit, Guard } from "../guard.ts";

const INSTANT = "packages/registry-schema/src/instant.ts";
const INSTANT_TESTS = ["packages/registry-schema/test/instant.test.ts"];
const DATED = "packages/trust-admission/src/rungs/dated.ts";
const ADMISSION_TESTS = [
  "packages/trust-admission/test/admit.test.ts",
  "packages/trust-admission/test/boundaries.test.ts",
];
const NEVER_EXPIRES: Edit = {
  file: DATED,
  is: "...(now < instantMs(dated.expiresAt)",
  off: "...(true",
};

/** When an observation, an evaluation and a review were made and until when they hold. */
export const REGISTRY_DATES: readonly Guard[] = [
  {
    name: "a date exists",
    edits: [{ file: INSTANT, is: "day <= daysInMonth(year, month);", off: "day <= 31;" }],
    tests: INSTANT_TESTS,
    inputs: ["RT-01", "RT-02"],
  },
  {
    name: "a minute has sixty seconds",
    edits: [{ file: INSTANT, is: "&& second <= 59;", off: "&& second <= 60;" }],
    tests: INSTANT_TESTS,
    inputs: ["RT-04"],
  },
  {
    name: "an instant has one form, in UTC and to the millisecond",
    edits: [
      {
        file: INSTANT,
        is: "return isInstant(text) ? text : undefined;",
        off: "return (text as Instant);",
      },
    ],
    tests: INSTANT_TESTS,
    inputs: ["RT-05", "RT-07", "RT-08", "RT-10", "RT-11"],
  },
  {
    name: "an expiry is later than its observation",
    edits: [
      {
        file: "packages/registry-schema/src/entry-relations.ts",
        is: "  datesAreInOrder,\n",
        off: "",
      },
    ],
    tests: ["packages/registry-schema/test/entry-relations.test.ts"],
    inputs: ["RT-13"],
  },
  {
    name: "an expiry equal to now has passed",
    edits: [
      {
        file: DATED,
        is: "...(now < instantMs(dated.expiresAt)",
        off: "...(now <= instantMs(dated.expiresAt)",
      },
    ],
    tests: ADMISSION_TESTS,
    inputs: ["RT-14"],
  },
  {
    name: "an observation lasts no longer than its window",
    edits: [
      {
        file: DATED,
        is: "...(instantMs(dated.expiresAt) <= dated.latestExpiryMs",
        off: "...(true",
      },
    ],
    tests: ADMISSION_TESTS,
    inputs: ["RT-16"],
  },
  {
    name: "six months end on a day that there is",
    edits: [
      {
        file: INSTANT,
        is: "const day = Math.min(from.getUTCDate(), daysInMonth(year, month + 1));",
        off: "const day = from.getUTCDate();",
      },
    ],
    tests: INSTANT_TESTS,
    inputs: ["RT-16"],
  },
  {
    name: "an expiry moves only with what it dates",
    edits: [
      {
        file: "packages/trust-admission/src/succession.ts",
        is: 'if (isEqual(old["expiresAt"], now["expiresAt"])) return [];',
        off: "if (part !== undefined) return [];",
      },
    ],
    tests: ["apps/eve-registry/test/commands/verify-since.test.ts"],
    inputs: ["RT-17"],
  },
  {
    name: "what has expired is refused on any later clock",
    edits: [NEVER_EXPIRES],
    tests: ADMISSION_TESTS,
    inputs: ["RT-19"],
  },
  {
    name: "a call repeats governance",
    edits: [NEVER_EXPIRES],
    tests: ["packages/trust-admission/test/admit-tool-call.test.ts"],
    inputs: ["RT-20"],
  },
  {
    name: "months are those of UTC",
    edits: [
      {
        file: INSTANT,
        is: "const day = Math.min(from.getUTCDate(),",
        off: "const day = Math.min(from.getDate(),",
      },
    ],
    tests: INSTANT_TESTS,
    inputs: ["RT-22"],
  },
];
