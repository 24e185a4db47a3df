import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { objectIn } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import {
  diffSurfaces,
  judgeLinks,
  judgeSchemas,
  judgeText,
  type Surface,
  surfacePins,
} from "../src/index.ts";

/** Bytes of one hostile surface: twenty times the largest that is known of a real server. */
const SIZE = 8 * 1024 * 1024;
/** Of the processor's time, not of the clock: other programs may run beside this one. */
const LIMIT_MS = 1_000;

const surfaceOf = (tools: readonly JsonObject[]): Surface => ({
  protocolVersion: "2025-11-25",
  instructions: undefined,
  capabilities: {},
  tools,
  prompts: undefined,
  resources: undefined,
  resourceTemplates: undefined,
});
const tool = (n: number, members: JsonObject): JsonObject => ({
  name: `t${n}`,
  inputSchema: { type: "object" },
  ...members,
});
/** As many tools as there is room for, each with these members. */
function filled(members: (n: number) => JsonObject): Surface {
  const tools: JsonObject[] = [];
  for (let size = 0; size < SIZE && tools.length < 4_096;) {
    const one = tool(tools.length, members(tools.length));
    size += JSON.stringify(one).length;
    tools.push(one);
  }
  return surfaceOf(tools);
}
const withProperties = (count: number, property: (n: number) => JsonValue): JsonObject => ({
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, property(n)])),
  },
});
/** No two patterns of a surface are alike. */
const withPatterns = (form: (n: number) => string): Surface =>
  filled((at) => withProperties(60, (n) => ({ pattern: form(at * 60 + n) })));

const HOSTILE: readonly (readonly [string, () => Surface])[] = [
  [
    "one text that hides all it holds",
    () => surfaceOf([tool(0, { description: "\u200b".repeat(SIZE / 3) })]),
  ],
  [
    "millions of texts that hide something",
    () => filled(() => withProperties(200, () => ({ description: "\u200b" }))),
  ],
  ["schemas as large as one may be", () => filled(() => withProperties(1_980, () => ({})))],
  [
    "a name in every pointer",
    () =>
      filled(() => ({
        inputSchema: {
          type: "object",
          properties: {
            ["x".repeat(100_000)]: withProperties(500, () => ({}))["inputSchema"] ?? {},
          },
        },
      })),
  ],
  [
    "references by name",
    () =>
      filled(() => {
        const { inputSchema } = withProperties(900, () => ({ $ref: "#a899" }));
        const defs = Array.from(
          { length: 900 },
          (_, n) => [`d${n}`, { $anchor: `a${n}` }] as const,
        );
        return { inputSchema: { ...objectIn(inputSchema), $defs: Object.fromEntries(defs) } };
      }),
  ],
  [
    "a header at every property",
    () => filled(() => withProperties(1_980, (n) => ({ type: "string", "x-mcp-header": `H${n}` }))),
  ],
  [
    "patterns of many choices",
    () => withPatterns((n) => `^${n}${"(a|b|c)?[a-z]{0,5}".repeat(8)}$`),
  ],
  ["patterns of many loops", () => withPatterns((n) => `^${n}${"a*b*c*d*".repeat(8)}$`)],
  ["patterns that are dense", () => withPatterns((n) => `^${n}(?:${"a?b?".repeat(40)})*$`)],
  [
    "patterns within loops",
    () => withPatterns((n) => `${n}${"(?:".repeat(100)}${"a?".repeat(150)}${")*".repeat(100)}`),
  ],
  [
    "patterns that double",
    () => withPatterns((n) => `${n}${"(?:".repeat(60)}${"){2}".repeat(60)}`),
  ],
  ["millions of icons", () => filled(() => ({ icons: Array.from({ length: 300 }, () => 0) }))],
  [
    "millions of links",
    () => filled(() => ({ _meta: { urls: Array.from({ length: 200 }, () => "javascript:1") } })),
  ],
  [
    "one link behind blanks",
    () => surfaceOf([tool(0, { _meta: { url: `${" ".repeat(SIZE)}javascript:1` } })]),
  ],
];

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const plain = (tools: number): Surface =>
  surfaceOf(
    Array.from({ length: tools }, (_, n) =>
      tool(
        n,
        withProperties(999, () => ({})),
      ),
    ),
  );

describe("a surface of the largest size", () => {
  it.each(HOSTILE)(
    "with %s is judged in less than a second, and told in at most 1,001 refusals",
    (_, make) => {
      const hostile = make();
      const judges = [judgeSchemas, judgeLinks, judgeText] as const;
      surfacePins(surfaceOf([]));
      for (const judge of judges) {
        const refusals: unknown[] = [];
        const ms = cpuMs(() => refusals.push(...judge("notes", hostile, [])));
        expect(ms).toBeLessThan(LIMIT_MS);
        expect(refusals.length).toBeLessThanOrEqual(1_001);
      }
    },
  );

  it("with more subschemas than are judged is refused, however plain they are: schema.too_complex", () => {
    expect(judgeSchemas("notes", plain(20))).toEqual([]);
    expect(judgeSchemas("notes", plain(21))).toMatchObject([
      { code: "schema.too_complex", subject: "tools" },
    ]);
  });

  it("with patterns that are harmless one by one is refused where they are too many: schema.pattern_unsafe", () => {
    const codes = judgeSchemas(
      "notes",
      withPatterns((n) => `^${n}${"(a|b|c)?[a-z]{0,5}".repeat(8)}$`),
    ).map(({ code }) => code);
    expect(codes).toContain("schema.pattern_unsafe");
  });

  it("of millions of blanks is compared, too", () => {
    const [before, after] = ["", " ".repeat(SIZE)].map((description) =>
      surfaceOf([tool(0, { description })]),
    );
    expect(before && after && diffSurfaces(before, after)).toMatchObject([
      { grade: "prose", after: `⟨U+0020 ×${SIZE}⟩` },
    ]);
  });
});
