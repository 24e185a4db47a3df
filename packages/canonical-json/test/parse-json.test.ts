import { describe, expect, it } from "vitest";
import type { JsonFaultCode, JsonOptions } from "../src/index.ts";
import { accepted, refused, utf8, verdict } from "./kit.ts";

interface Row {
  readonly title: string;
  readonly source: string | Uint8Array;
  readonly code: JsonFaultCode;
  /** Offset in bytes, line, column. */
  readonly at: readonly [number, number, number];
  readonly options?: JsonOptions;
}

const registry: JsonOptions = { profile: "registry" };

const rows: readonly Row[] = [
  { title: "an empty document", source: "", code: "unparseable", at: [0, 1, 1] },
  { title: "only white space", source: " \n ", code: "unparseable", at: [3, 2, 2] },
  { title: "a byte order mark", source: "\uFEFF{}", code: "unparseable", at: [0, 1, 1] },
  {
    title: "a UTF-16 document",
    source: Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
    code: "unparseable",
    at: [0, 1, 1],
  },
  {
    title: "an overlong sequence",
    source: Uint8Array.of(0x22, 0x0a, 0xc0, 0x80, 0x22),
    code: "unparseable",
    at: [2, 2, 1],
  },
  {
    title: "an encoded surrogate",
    source: Uint8Array.of(0x22, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x22),
    code: "unparseable",
    at: [3, 1, 3],
  },
  {
    title: "a sequence beyond U+10FFFF",
    source: Uint8Array.of(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22),
    code: "unparseable",
    at: [1, 1, 2],
  },
  {
    title: "a sequence cut short",
    source: Uint8Array.of(0x22, 0xf0, 0x9f, 0x98),
    code: "unparseable",
    at: [1, 1, 2],
  },
  { title: "two documents", source: "{}\n{}", code: "unparseable", at: [3, 2, 1] },
  { title: "a closing brace too many", source: "{}\n}", code: "unparseable", at: [3, 2, 1] },
  { title: "NaN", source: '{"a":NaN}', code: "unparseable", at: [5, 1, 6] },
  { title: "Infinity", source: "[-Infinity]", code: "unparseable", at: [2, 1, 3] },
  { title: "a comment", source: "[1, // one\n2]", code: "unparseable", at: [4, 1, 5] },
  { title: "a trailing comma in an array", source: "[1,]", code: "unparseable", at: [3, 1, 4] },
  {
    title: "a trailing comma in an object",
    source: '{"a":1,}',
    code: "unparseable",
    at: [7, 1, 8],
  },
  { title: "single quotes", source: "['a']", code: "unparseable", at: [1, 1, 2] },
  { title: "a hexadecimal number", source: "[0x1f]", code: "unparseable", at: [2, 1, 3] },
  { title: "a number that starts with zero", source: "[01]", code: "unparseable", at: [1, 1, 2] },
  { title: "a fraction without digits", source: "[1.]", code: "unparseable", at: [3, 1, 4] },
  { title: "an exponent without digits", source: "[1e+]", code: "unparseable", at: [4, 1, 5] },
  { title: "a minus alone", source: "[-]", code: "unparseable", at: [2, 1, 3] },
  { title: "a name without quotes", source: "{a:1}", code: "unparseable", at: [1, 1, 2] },
  { title: "a member without a colon", source: '{"a" 1}', code: "unparseable", at: [5, 1, 6] },
  { title: "an array that ends as an object", source: "[1}", code: "unparseable", at: [2, 1, 3] },
  {
    title: "an object that ends as an array",
    source: '{"a":1]',
    code: "unparseable",
    at: [6, 1, 7],
  },
  { title: "an array that does not end", source: "[[]", code: "unparseable", at: [3, 1, 4] },
  { title: "a string that does not end", source: '"a', code: "unparseable", at: [2, 1, 3] },
  { title: "an escape that does not end", source: '"\\', code: "unparseable", at: [1, 1, 2] },
  { title: "an unknown escape", source: '"a\\x41"', code: "unparseable", at: [2, 1, 3] },
  { title: "a short \\u escape", source: '"\\u12"', code: "unparseable", at: [1, 1, 2] },
  { title: "a raw tab in a string", source: '"a\tb"', code: "unparseable", at: [2, 1, 3] },
  { title: "a raw U+0000 in a string", source: '"\u0000"', code: "unparseable", at: [1, 1, 2] },
  {
    title: "a no-break space between values",
    source: "[\u00A01]",
    code: "unparseable",
    at: [1, 1, 2],
  },
  {
    title: "a name used twice",
    source: '{\n  "a": 1,\n  "a": 1\n}',
    code: "duplicate_key",
    at: [14, 3, 3],
  },
  {
    title: "a name used twice, once with an escape",
    source: '{"lifecycle":0,"l\\u0069fecycle":1}',
    code: "duplicate_key",
    at: [15, 1, 16],
  },
  {
    title: "a name used twice after text of two, three and four bytes",
    source: '[{"é€😀":1,"é€😀":2}]',
    code: "duplicate_key",
    at: [16, 1, 11],
  },
  {
    title: "a name used twice deep inside",
    source: '[{"a":[{"b":{},"b":{}}]}]',
    code: "duplicate_key",
    at: [15, 1, 16],
  },
  {
    title: "the ninth of many names used again",
    source: `{${Array.from({ length: 20 }, (_, n) => `"${n}":0`).join(",")},"8":0}`,
    code: "duplicate_key",
    at: [131, 1, 132],
  },
  { title: "__proto__", source: '{"__proto__":{}}', code: "unsafe_key", at: [1, 1, 2] },
  {
    title: "__proto__ with an escape",
    source: '[{"a":1,"\\u005f_proto__":{}}]',
    code: "unsafe_key",
    at: [8, 1, 9],
  },
  {
    title: "constructor in a registry",
    source: '{"constructor":1}',
    code: "unsafe_key",
    at: [1, 1, 2],
    options: registry,
  },
  {
    title: "prototype in a registry",
    source: '{"a":{"prototype":1}}',
    code: "unsafe_key",
    at: [6, 1, 7],
    options: registry,
  },
  { title: "2^53 + 1", source: "[9007199254740993]", code: "number_invalid", at: [1, 1, 2] },
  { title: "-(2^53) - 1", source: "-9007199254740993", code: "number_invalid", at: [0, 1, 1] },
  { title: "1e400", source: "[1e400]", code: "number_invalid", at: [1, 1, 2] },
  { title: "400 digits", source: "9".repeat(400), code: "number_invalid", at: [0, 1, 1] },
  { title: "1e-400", source: "[1,1e-400]", code: "number_invalid", at: [3, 1, 4] },
  {
    title: "a fraction that rounds to zero",
    source: `-0.${"0".repeat(400)}1`,
    code: "number_invalid",
    at: [0, 1, 1],
  },
  {
    title: "-0 in a registry",
    source: "[-0]",
    code: "number_invalid",
    at: [1, 1, 2],
    options: registry,
  },
  {
    title: "-0.0 in a registry",
    source: "-0.0",
    code: "number_invalid",
    at: [0, 1, 1],
    options: registry,
  },
  {
    title: "-0e9 in a registry",
    source: "-0e9",
    code: "number_invalid",
    at: [0, 1, 1],
    options: registry,
  },
  { title: "a high surrogate alone", source: '"\\ud800"', code: "string_invalid", at: [1, 1, 2] },
  { title: "a low surrogate alone", source: '"a\\udc00"', code: "string_invalid", at: [2, 1, 3] },
  {
    title: "surrogates in the wrong order",
    source: '"\\udc00\\ud800"',
    code: "string_invalid",
    at: [1, 1, 2],
  },
  {
    title: "two high surrogates",
    source: '"\\ud800\\ud800"',
    code: "string_invalid",
    at: [1, 1, 2],
  },
  {
    title: "a lone surrogate in a name",
    source: '{"\\udfff":1}',
    code: "string_invalid",
    at: [2, 1, 3],
  },
  {
    title: "U+0000 in a registry",
    source: '"a\\u0000"',
    code: "string_invalid",
    at: [2, 1, 3],
    options: registry,
  },
  { title: "65 arrays in each other", source: "[".repeat(65), code: "too_deep", at: [64, 1, 65] },
  {
    title: "10,000 arrays in each other",
    source: nested(10_000),
    code: "too_deep",
    at: [64, 1, 65],
  },
  {
    title: "a depth over 1024, whatever the limit says",
    source: "[".repeat(1025),
    code: "too_deep",
    at: [1024, 1, 1025],
    options: { limits: { maxDepth: 1_000_000 } },
  },
  {
    title: "one byte too many",
    source: '"ab"',
    code: "too_large",
    at: [0, 1, 1],
    options: { limits: { maxBytes: 3 } },
  },
  {
    title: "any depth under a limit that is no number",
    source: "[]",
    code: "too_deep",
    at: [0, 1, 1],
    options: { limits: { maxDepth: Number.NaN } },
  },
  {
    title: "any size under a limit that is no number",
    source: "1",
    code: "too_large",
    at: [0, 1, 1],
    options: { limits: { maxBytes: Number.NaN } },
  },
];

describe("refuses, with the place of the fault,", () => {
  it.each(rows)("$title: $code", ({ source, code, at, options }) => {
    const fault = refused(source, options);
    expect([fault.code, fault.offset, fault.line, fault.column]).toEqual([code, ...at]);
    expect(fault.reason).toMatch(/^[A-Z].*\.$/);
  });

  it("a byte order mark by its name: unparseable", () => {
    expect(refused("\uFEFF{}").reason).toBe("A document starts without a byte order mark.");
  });

  it("every code at least once", () => {
    expect([...new Set(rows.map((row) => row.code))].toSorted()).toEqual([
      "duplicate_key",
      "number_invalid",
      "string_invalid",
      "too_deep",
      "too_large",
      "unparseable",
      "unsafe_key",
    ]);
  });
});

function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

describe("accepts", () => {
  it.each([
    ["null", null],
    [" true ", true],
    ["\r\n\tfalse\n", false],
    ['""', ""],
    ["[]", []],
    ["{}", {}],
    ['{"a":{},"b":[]}', { a: {}, b: [] }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }],
    ['"\\ud83d\\ude00 😀 \\/ \\b\\f\\n\\r\\t\\"\\\\"', '😀 😀 / \b\f\n\r\t"\\'],
    ['"\u007F\u2028"', "\u007F\u2028"],
    ['{"":0," ":1}', { "": 0, " ": 1 }],
    ["9007199254740992", 2 ** 53],
    ["9007199254740994", 2 ** 53 + 2],
    ["-9007199254740992", -(2 ** 53)],
    ["100000000000000000000", 1e20],
    ["1e20", 1e20],
    ["0.1", 0.1],
    ["5e-324", 5e-324],
    ["0e-999", 0],
    ["1.7976931348623157e308", Number.MAX_VALUE],
  ])("%s", (source, value) => {
    expect(accepted(source)).toEqual(value);
    expect(accepted(source, { profile: "registry" })).toEqual(value);
  });

  it("-0, U+0000, constructor and prototype on the wire, as JSON does", () => {
    expect(accepted("[-0,-0.0]")).toEqual([-0, -0]);
    expect(accepted('"\\u0000"')).toBe("\u0000");
    expect(accepted('{"constructor":1,"prototype":2}')).toEqual({ constructor: 1, prototype: 2 });
  });

  it("64 arrays in each other, and as many as a caller allows up to 1024", () => {
    expect(verdict(nested(64))).toBe("accepted");
    expect(verdict(nested(3), { limits: { maxDepth: 3 } })).toBe("accepted");
    expect(verdict(nested(4), { limits: { maxDepth: 3 } })).toBe("too_deep");
    expect(verdict(nested(1024), { limits: { maxDepth: 5000 } })).toBe("accepted");
    expect(verdict("1", { limits: { maxDepth: 0 } })).toBe("accepted");
  });

  it("exactly as many bytes as the limit says", () => {
    expect(verdict('"é"', { limits: { maxBytes: 4 } })).toBe("accepted");
    expect(verdict('"é"', { limits: { maxBytes: 3 } })).toBe("too_large");
  });

  it("bytes that another thread shares", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    shared.set(utf8("[12]"));
    expect(accepted(shared)).toEqual([12]);
  });
});

const names = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"key${n}":0`).join(",");

describe("very many names in one object", () => {
  it("a million are over the default size (RB-22): too_large", () => {
    expect(verdict(`{${names(1_000_000)}}`)).toBe("too_large");
  });

  it("are read where the limit lets them, and one used twice is found: duplicate_key", () => {
    expect(Object.keys(accepted(`{${names(200_000)}}`) ?? {})).toHaveLength(200_000);
    expect(verdict(`{${names(200_000)},"key100000":0}`)).toBe("duplicate_key");
  });
});
