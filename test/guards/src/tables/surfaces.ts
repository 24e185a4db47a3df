import type { Edit, Guard } from "../guard.ts";

const ADMISSION = "packages/trust-admission/src";
const ADMISSION_TESTS = "packages/trust-admission/test";
const ADMIT = [`${ADMISSION_TESTS}/admit.test.ts`];

/** The rung is not climbed. */
const withoutRung = (rung: string): readonly Edit[] => [
  { file: `${ADMISSION}/rungs/surface.ts`, is: `  ${rung},\n`, off: "" },
];

/** What a server shows, held against the pins of its entry. */
export const SURFACES: readonly Guard[] = [
  {
    name: "the tools are those that were reviewed, each once",
    edits: withoutRung("toolSet"),
    tests: ADMIT,
    inputs: ["SN-01", "SN-02", "SN-05", "SN-07", "SN-08"],
  },
  {
    name: "an input schema is the one that was reviewed",
    edits: withoutRung("inputSchemas"),
    tests: ADMIT,
    inputs: ["SN-04", "SS-04", "SS-05", "SS-07", "SS-08", "SS-17"],
  },
  {
    name: "a description is the one that was reviewed",
    edits: withoutRung("descriptions"),
    tests: ADMIT,
    inputs: ["ST-01", "ST-02", "ST-04", "ST-05", "ST-07", "ST-08", "ST-10", "ST-11"],
  },
  {
    name: "the rest of a definition is the one that was reviewed",
    edits: withoutRung("definitions"),
    tests: ADMIT,
    inputs: ["SM-01", "SM-02", "SM-04", "SM-05", "SM-08", "SS-16"],
  },
  {
    name: "capabilities are those that were reviewed",
    edits: withoutRung("capabilities"),
    tests: ADMIT,
    inputs: ["SM-11"],
  },
  {
    name: "no reviewed schema fetches, loops or hangs",
    edits: withoutRung("schemas"),
    tests: ADMIT,
    inputs: ["SS-10", "SS-11", "SS-13"],
  },
  {
    name: "no reviewed text hides something",
    edits: withoutRung("text"),
    tests: ADMIT,
    inputs: ["ST-04", "ST-05"],
  },
  {
    name: "no reviewed icon or link is of an unsafe scheme",
    edits: withoutRung("links"),
    tests: ADMIT,
    inputs: ["SM-07"],
  },
  {
    name: "a protocol version has pins of its own",
    edits: [
      {
        file: `${ADMISSION}/rungs/protocol.ts`,
        is: "if (admitted.includes(protocolVersion)) return [];",
        off: "if (admitted.length > 0) return [];",
      },
    ],
    tests: ADMIT,
    inputs: ["SN-14"],
  },
  {
    name: "the order of keys is no drift",
    edits: [
      {
        file: "packages/canonical-json/src/canonical-json.ts",
        is: "for (const name of inOrder(Object.keys(members))) {",
        off: "for (const name of Object.keys(members)) {",
      },
    ],
    tests: [`${ADMISSION_TESTS}/pins.test.ts`],
    inputs: ["SS-01"],
  },
  {
    name: "what hides something is not pinned without a word",
    edits: [
      {
        file: "apps/eve-registry/src/observe-surfaces.ts",
        is: "    ...judgeText(integration, surface, textExceptions),\n",
        off: "",
      },
    ],
    tests: ["apps/eve-registry/test/commands/measure.test.ts"],
    inputs: ["ST-13"],
  },
];

const GUARD = "packages/mcp-guard/src";
const SESSION = ["packages/mcp-guard/test/guarded-session.test.ts"];

/** How a surface is read from the wire, and what is done when it may have changed. */
export const WIRES: readonly Guard[] = [
  {
    name: "a cursor that repeats ends the walk with a refusal",
    edits: [
      { file: `${GUARD}/list-pages.ts`, is: "if (cursors.has(page.next)) {", off: "if (false) {" },
    ],
    tests: ["packages/mcp-guard/test/stdio-server.test.ts"],
    inputs: ["SN-10"],
  },
  {
    name: "an empty cursor is a cursor",
    edits: [
      {
        file: `${GUARD}/list-pages.ts`,
        is: "if (page.next === undefined) return { ok: true, items, raw };",
        off: "if (!page.next) return { ok: true, items, raw };",
      },
    ],
    tests: ["packages/mcp-guard/test/stdio-server.test.ts"],
    inputs: ["SN-11"],
  },
  {
    name: "a new connection is listed twice",
    edits: [
      {
        file: `${GUARD}/admitted-surface.ts`,
        is: "if (!first.ok || proven === on.connection) return first;",
        off: "if (first) return first;",
      },
    ],
    tests: SESSION,
    inputs: ["SN-13"],
  },
  {
    name: "what may have changed is another generation",
    edits: [{ file: `${GUARD}/admitted-surface.ts`, is: "    generation += 1;\n", off: "" }],
    tests: SESSION,
    inputs: ["SN-16"],
  },
  {
    name: "an observation runs out",
    edits: [
      {
        file: `${GUARD}/admitted-surface.ts`,
        is: "return measuredAt <= now && now < expiresAt;",
        off: "return measuredAt <= now || now < expiresAt;",
      },
    ],
    tests: SESSION,
    inputs: ["SN-17"],
  },
  {
    name: "no server says how long it is believed",
    edits: [
      {
        file: `${GUARD}/surface-lifetime.ts`,
        is: "Math.min(MAX_LIFETIME_MS, ...said)",
        off: "Math.min(...said, Infinity)",
      },
    ],
    tests: SESSION,
    inputs: ["SN-19"],
  },
  {
    name: "what is not admitted is not sent",
    edits: [
      {
        file: `${GUARD}/guarded-session.ts`,
        is: "if (!verdict.admitted) return refused(verdict.refusals);",
        off: "if (!verdict.admitted) return send(on, call, {}, resultReach(current.registry, integration, on.surface));",
      },
    ],
    tests: SESSION,
    inputs: ["SN-20"],
  },
  {
    name: "a member that SDKs drop is refused on the wire",
    edits: [
      {
        file: "packages/canonical-json/src/parse-json.ts",
        is: "skim(bytes, rules) ? nativeValue(text) : undefined",
        off: "nativeValue(text)",
      },
    ],
    tests: SESSION,
    inputs: ["SS-14"],
  },
];
