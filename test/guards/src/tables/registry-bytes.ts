import type { Edit, Guard } from "../guard.ts";

const READER = "packages/canonical-json/src";
const REGISTRY = "packages/registry-schema/src/parse-registry.ts";
const TESTS = ["packages/registry-schema/test/parse-registry.test.ts"];

/** Every document goes to the exact scan; a skim that is sure of it would hide that the scan refuses no longer. */
const NO_SKIM: Edit = {
  file: `${READER}/parse-json.ts`,
  is: "skim(bytes, rules) ? nativeValue(text) : undefined",
  off: "undefined",
};
/**
 * A lenient reader in the native one's place: what does not parse is cut short, or read as an empty object.
 * That it swallows faults is what the tests must notice.
 */
const LENIENT: Edit = {
  file: `${READER}/parse-json.ts`,
  is: `  // The scan refused all that the native parser would settle in silence: repeated names, \`__proto__\`, lost digits.
  const value: JsonValue = JSON.parse(text);`,
  off: `  let value: JsonValue = {};
  for (let end = text.lastIndexOf("}"); end > 0; end = text.lastIndexOf("}", end - 1)) {
    try { value = JSON.parse(text.slice(text.startsWith("\\ufeff") ? 1 : 0, end + 1)); break; } catch {}
    if (end < text.length - 64) break;
  }`,
};

/** The scan goes on after a fault of this kind as if there were none. */
const unrefused = (code: string): Edit => ({
  file: `${READER}/parse-json.ts`,
  is: "if (scan.fault !== undefined) {",
  off: `if (scan.fault !== undefined && scan.fault.code !== "${code}") {`,
});

const REPLACES: Edit = {
  file: `${READER}/decode-utf8.ts`,
  is: "return validBytes === bytes.length ?",
  off: "return true ?",
};

/** The strict reader of a registry file (RFC 8259, RFC 7493, and what a registry refuses beyond them). */
export const REGISTRY_BYTES: readonly Guard[] = [
  {
    name: "bytes that are not UTF-8 are refused, not replaced",
    edits: [REPLACES],
    tests: TESTS,
    inputs: ["RB-04"],
  },
  {
    name: "text that is not one JSON document is refused",
    edits: [NO_SKIM, LENIENT, REPLACES, unrefused("unparseable")],
    tests: TESTS,
    inputs: ["RB-01", "RB-02", "RB-07", "RB-08", "RB-14", "RB-19"],
  },
  {
    name: "a file that is half written is not read as a whole one",
    edits: [NO_SKIM, LENIENT, unrefused("unparseable")],
    tests: ["registry/test/sources.test.ts"],
    inputs: ["RR-10"],
  },
  {
    name: "a document is an object",
    edits: [
      { file: REGISTRY, is: "if (!isJsonObject(document))", off: "if (false)" },
      NO_SKIM,
      LENIENT,
      unrefused("unparseable"),
    ],
    tests: TESTS,
    inputs: ["RB-23"],
  },
  {
    name: "a surrogate escape is half of a pair",
    edits: [NO_SKIM, unrefused("string_invalid")],
    tests: TESTS,
    inputs: ["RB-05"],
  },
  {
    name: "a name is used once in an object",
    edits: [
      NO_SKIM,
      { file: `${READER}/scan-name.ts`, is: "if (!names.add(name))", off: "if (false)" },
    ],
    tests: TESTS,
    inputs: ["RB-10", "RB-11"],
  },
  {
    name: "a name is compared after unescaping",
    edits: [
      NO_SKIM,
      {
        file: `${READER}/scan-name.ts`,
        is: "scan.escaped ? unescape(spelled) : spelled",
        off: "spelled",
      },
    ],
    tests: TESTS,
    inputs: ["RB-11"],
  },
  {
    name: "the skim is not sure of a name it has seen",
    edits: [
      {
        file: `${READER}/skim-names.ts`,
        is: "if (hashes[other] === hash) return false;",
        off: "if (false) return false;",
      },
    ],
    tests: TESTS,
    inputs: ["RB-10"],
  },
  {
    name: "the skim is not sure of a name with an escape",
    edits: [
      {
        file: `${READER}/skim-names.ts`,
        is: "if (byte === BACKSLASH || byte === undefined) return UNSURE;",
        off: "if (byte === undefined) return UNSURE;",
      },
    ],
    tests: TESTS,
    inputs: ["RB-11"],
  },
  {
    name: "a name that can reach a prototype is refused",
    edits: [
      NO_SKIM,
      {
        file: `${READER}/scan-name.ts`,
        is: "if (isUnsafe(name, scan.registry))",
        off: "if (false)",
      },
    ],
    tests: TESTS,
    inputs: ["RB-13"],
  },
  {
    name: "an integer is one that a double holds",
    edits: [
      NO_SKIM,
      {
        file: `${READER}/scan-number.ts`,
        is: "if (isInteger && BigInt(token) !== BigInt(value)) {",
        off: "if (false) {",
      },
    ],
    tests: TESTS,
    inputs: ["RB-16"],
  },
  {
    name: "the skim is not sure of an integer of many digits, or of a negative zero",
    edits: [
      {
        file: `${READER}/skim-tokens.ts`,
        is: "if (value > Number.MAX_SAFE_INTEGER || (registry && isNegative && value === 0)) return UNSURE;",
        off: "",
      },
    ],
    tests: TESTS,
    inputs: ["RB-16", "RB-17"],
  },
  {
    name: "zero has no minus sign in a registry",
    edits: [
      NO_SKIM,
      {
        file: `${READER}/scan-number.ts`,
        is: "if (scan.registry && Object.is(value, -0)) {",
        off: "if (false) {",
      },
    ],
    tests: TESTS,
    inputs: ["RB-17"],
  },
  {
    name: "values nest at most 64 deep",
    edits: [
      NO_SKIM,
      {
        file: `${READER}/scan-document.ts`,
        is: "if (!(open.length < scan.maxDepth)) {",
        off: "if (false) {",
      },
    ],
    tests: TESTS,
    inputs: ["RB-20"],
  },
  {
    name: "a document has a bound in bytes",
    edits: [
      {
        file: `${READER}/parse-json.ts`,
        is: "if (!(bytes.length <= maxBytes)) {",
        off: "if (false) {",
      },
    ],
    tests: TESTS,
    inputs: ["RB-22"],
  },
  {
    name: "an object of a registry has a bound in members",
    edits: [{ file: REGISTRY, is: "if (isTooWide(parsed.value, maxMembers))", off: "if (false)" }],
    tests: TESTS,
    inputs: ["RB-22"],
  },
];
