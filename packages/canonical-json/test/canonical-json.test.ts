import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { propertyRuns } from "@eve/config/property-runs";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CanonicalJsonError,
  type JsonObject,
  type JsonValue,
  canonicalJson,
  canonicalObject,
  framedDigest,
  framedTextDigest,
} from "../src/index.ts";
import { jsonValue, withMembersReversed } from "./json-values.ts";
import { accepted, utf8, verdict } from "./kit.ts";
import { missingNote, runsAgainst, sharedFolder } from "@eve/config/shared-folder";

const vectors = sharedFolder("vectors", "rfc8785", "testdata");

/** RFC 8785, appendix B: the bits of a double, and how it is written. */
const numberSamples: readonly (readonly [string, string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

/** The code of the error that a value is answered with. The value need not be one JSON has. */
function codeFor(value: unknown): string {
  try {
    Reflect.apply(canonicalJson, undefined, [value]);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error.code;
    throw error;
  }
  return "written";
}

function nested(depth: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("canonicalJson writes", () => {
  it.each(numberSamples)("the double %s as %s", (bits, written) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalJson(view.getFloat64(0))).toBe(written);
  });

  it("names in the order of their UTF-16 code units, not of their code points", () => {
    const value = { "\uFB33": 7, "😀": 6, "€": 5, ö: 4, "\u0080": 3, "1": 2, "\r": 1, A: 0, a: 0 };
    expect(canonicalJson(value)).toBe(
      '{"\\r":1,"1":2,"A":0,"a":0,"\u0080":3,"ö":4,"€":5,"😀":6,"\uFB33":7}',
    );
  });

  it("names in order at every depth, integer-like ones as text", () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: { "10": 0, "9": 1 } })).toBe(
      '{"a":{"10":0,"9":1},"b":[{"c":2,"d":1}]}',
    );
  });

  it("the shortest escapes, in lower case", () => {
    expect(canonicalJson('\b\t\n\f\r"\\/\u0000\u001F\u007F\u2028é😀')).toBe(
      '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\u007F\u2028é😀"',
    );
  });

  it("empty containers and literals", () => {
    expect(canonicalJson([null, true, false, {}, [], "", { "": "" }])).toBe(
      '[null,true,false,{},[],"",{"":""}]',
    );
  });

  it("an object without a prototype", () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  it("1024 levels, and no more: too_deep", () => {
    expect(codeFor(nested(1024))).toBe("written");
    expect(codeFor(nested(1025))).toBe("too_deep");
    expect(codeFor(nested(200_000))).toBe("too_deep");
  });
});

describe("canonicalJson throws on", () => {
  const cycle: unknown[] = [];
  cycle.push({ cycle });

  it.each<readonly [string, unknown, string]>([
    ["NaN", Number.NaN, "number_invalid"],
    ["Infinity", [Number.POSITIVE_INFINITY], "number_invalid"],
    ["-Infinity", { a: Number.NEGATIVE_INFINITY }, "number_invalid"],
    ["a lone surrogate in a string", ["\uD800"], "string_invalid"],
    ["a lone surrogate in a name", { "\uDC00": 1 }, "string_invalid"],
    ["undefined", undefined, "not_json"],
    ["an undefined member", { a: undefined }, "not_json"],
    ["an undefined item", [undefined], "not_json"],
    ["a hole", Array.from({ length: 1 }), "not_json"],
    ["a bigint", 1n, "not_json"],
    ["a function", { toJSON: () => 1 }, "not_json"],
    ["a symbol", Symbol("a"), "not_json"],
    ["a date", new Date(0), "not_json"],
    ["a map", new Map([["a", 1]]), "not_json"],
    ["an instance of a class", new CanonicalJsonError("not_json", ""), "not_json"],
    ["a member __proto__", JSON.parse('{"__proto__":1}'), "unsafe_key"],
    ["a cycle", cycle, "too_deep"],
  ])("%s: %s", (_, value, code) => {
    expect(codeFor(value)).toBe(code);
  });
});

describe("the canonical form of an object and its members", () => {
  it("is that of the whole, which holds that of each member", () => {
    const { text, members } = canonicalObject({ b: { y: 1, x: [true] }, a: "\u20ac" });
    expect(text).toBe('{"a":"\u20ac","b":{"x":[true],"y":1}}');
    expect([...members]).toEqual([
      ["a", '"\u20ac"'],
      ["b", '{"x":[true],"y":1}'],
    ]);
  });

  it("agrees with canonicalJson, and its digests with framedDigest, for any object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), jsonValue), (value) => {
        fc.pre(!Object.hasOwn(value, "__proto__"));
        const { text, members } = canonicalObject(value);
        expect(text).toBe(canonicalJson(value));
        expect(framedTextDigest("eve/test/1", text)).toBe(framedDigest("eve/test/1", value));
        for (const [name, member] of Object.entries(value))
          expect(members.get(name)).toBe(canonicalJson(member));
      }),
    );
  });

  it("is not that of a class, nor one with a member __proto__", () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is handed over is not what its type says
    expect(() => canonicalObject(new Date(0) as unknown as JsonObject)).toThrow(/plain/);
    expect(() => canonicalObject(JSON.parse('{"__proto__":1}'))).toThrow(/__proto__/);
  });

  it("has an absent part digested as nothing", () => {
    expect(framedTextDigest("eve/test/1", undefined)).toBe(framedDigest("eve/test/1", undefined));
  });
});

describe("for any value", () => {
  it("canonicalJson writes what the library canonicalize writes", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it("parseJson gives back what canonicalJson wrote", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(accepted(canonicalJson(value))).toEqual(value);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it("parseJson gives what JSON.parse gives, and white space changes nothing", () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(0, 1, "\t", "\r\n"), (value, space) => {
        const text = JSON.stringify(value, null, space === "\r\n" ? 2 : space);
        const spaced = space === "\r\n" ? text.replaceAll("\n", "\r\n") : text;
        expect(accepted(spaced)).toEqual(JSON.parse(text));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it("the order of members, at every depth, changes neither text nor digest", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const reversed = withMembersReversed(value);
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(framedDigest("eve/test/1", reversed)).toBe(framedDigest("eve/test/1", value));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

it("a large integer that ECMAScript writes with other digits than its own is not read back: number_invalid", () => {
  expect(verdict(canonicalJson(2 ** 68))).toBe("number_invalid");
  expect(accepted("295147905179352825856")).toBe(2 ** 68);
});

// Not part of the repository: where the folder is missing the title says so, and under CI that is a failure.
describe.runIf(runsAgainst(vectors))(`the vectors of RFC 8785${missingNote(vectors)}`, () => {
  const names = ["arrays", "french", "structures", "unicode", "values", "weird"];

  it("are all here", () => {
    expect(readdirSync(join(vectors, "input")).toSorted()).toEqual(
      names.map((name) => `${name}.json`),
    );
  });

  it.each(names)("%s has its published form and bytes", (name) => {
    const written = canonicalJson(accepted(readFileSync(join(vectors, "input", `${name}.json`))));
    const output = readFileSync(join(vectors, "output", `${name}.json`), "utf8");
    const hex = readFileSync(join(vectors, "outhex", `${name}.txt`), "utf8");
    expect(written).toBe(output);
    expect(Buffer.from(utf8(written)).toString("hex")).toBe(hex.replaceAll(/\s/g, ""));
  });
});
