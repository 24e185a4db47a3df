import type { Edit, Guard } from "../guard.ts";

const SCHEMA = "packages/registry-schema/src";
const SCHEMA_TESTS = "packages/registry-schema/test";
const FIELDS = `${SCHEMA}/entry-fields.ts`;
const ENTRY = `${SCHEMA}/entry.ts`;
const TEXT = `${SCHEMA}/text.ts`;
const FIELD_TESTS = [`${SCHEMA_TESTS}/entry-fields.test.ts`];
const GOVERNANCE = "packages/trust-admission/src/rungs/governance.ts";

/** The relation is still judged, and what it finds is forgotten. */
const unrelated = (relation: string): Edit => ({
  file: `${SCHEMA}/entry-relations.ts`,
  is: `  ${relation},\n`,
  off: "",
});

/** Who an integration is: its fields, its names, its kind and state, its owner and reviewer. */
export const REGISTRY_ENTRIES: readonly Guard[] = [
  {
    name: "the document has no unknown field",
    edits: [
      {
        file: `${SCHEMA}/document.ts`,
        is: "manifestShape = z.strictObject({",
        off: "manifestShape = z.object({",
      },
    ],
    tests: [`${SCHEMA_TESTS}/parse-registry.test.ts`],
    inputs: ["RS-01"],
  },
  {
    name: "an entry has no unknown field, at any depth",
    edits: [
      {
        file: `${SCHEMA}/parse-entry.ts`,
        is: 'if (issue.code === "unrecognized_keys")\n    return issue.keys.map(',
        off: 'if (issue.code === "unrecognized_keys")\n    return [].map(',
      },
      {
        file: `${SCHEMA}/parse-entry.ts`,
        is: "if (!parsed.success) return faulty(",
        off: 'if (!parsed.success && parsed.error.issues.every(({ code }) => code === "unrecognized_keys")) return { ok: true, entry: raw as never };\n  if (!parsed.success) return faulty(',
      },
    ],
    tests: [`${SCHEMA_TESTS}/parse-entry.test.ts`],
    inputs: ["RS-01", "RS-02"],
  },
  {
    name: "a kind is one of the two",
    edits: [
      {
        file: ENTRY,
        is: 'kind: z.enum(KINDS, failsWith("entry.kind_unknown", "mcp-server or agent"))',
        off: "kind: z.any()",
      },
    ],
    tests: FIELD_TESTS,
    inputs: ["RS-04"],
  },
  {
    name: "an agent has no admission path",
    edits: [{ file: GOVERNANCE, is: 'entry.kind === "mcp-server"\n', off: "true\n" }],
    tests: ["packages/trust-admission/test/admit.test.ts"],
    inputs: ["RS-05"],
  },
  {
    name: "a lifecycle is one of three states",
    edits: [
      {
        file: ENTRY,
        is: `state: z.enum(
      LIFECYCLE_STATES,
      failsWith("lifecycle.unknown", "active, quarantined or revoked"),
    ),`,
        off: "state: z.any(),",
      },
    ],
    tests: FIELD_TESTS,
    inputs: ["RS-07"],
  },
  {
    name: "a required field that is missing is refused by its path",
    edits: [
      {
        file: `${SCHEMA}/parse-entry.ts`,
        is: "if (value === undefined)",
        off: "if (value === undefined) return [];\n  if (false)",
      },
      {
        file: `${SCHEMA}/parse-entry.ts`,
        is: 'throw new TypeError("a refusal needs a cause");',
        off: "return { ok: true, entry: {} as never };",
      },
    ],
    tests: [`${SCHEMA_TESTS}/parse-entry.test.ts`],
    inputs: ["RS-08"],
  },
  {
    name: "an id has one entry",
    edits: [
      {
        file: `${SCHEMA}/parse-registry.ts`,
        is: 'const twice = repeatedAt(ids).map((i) => ids[i] ?? "");',
        off: "const twice: string[] = [];",
      },
    ],
    tests: [`${SCHEMA_TESTS}/parse-registry.test.ts`],
    inputs: ["RS-10"],
  },
  {
    name: "an id is of a few plain characters",
    edits: [
      {
        file: TEXT,
        is: "export const ID: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/;",
        off: "export const ID: RegExp = /./;",
      },
    ],
    tests: [`${SCHEMA_TESTS}/parse-registry.test.ts`],
    inputs: ["RS-11"],
  },
  {
    name: "a tool has one pin",
    edits: [unrelated("toolNamesAreDistinct")],
    tests: [`${SCHEMA_TESTS}/entry-relations.test.ts`],
    inputs: ["RS-13"],
  },
  {
    name: "a digest is 64 lower-case hexadecimal digits",
    edits: [{ file: FIELDS, is: "const DIGEST = /^[0-9a-f]{64}$/;", off: "const DIGEST = /^/;" }],
    tests: FIELD_TESTS,
    inputs: ["RS-14"],
  },
  {
    name: "a text can be read",
    edits: [
      {
        file: TEXT,
        is: "return !HIDDEN.test(text) && VISIBLE.test(text);",
        off: "return true;",
      },
    ],
    tests: FIELD_TESTS,
    inputs: ["RS-16"],
  },
  {
    name: "what publishes is reviewed by another team",
    edits: [
      {
        file: GOVERNANCE,
        is: "if (!needsAnotherTeam || entry.review.reviewer !== entry.owner.team) return [];",
        off: "return [];",
      },
    ],
    tests: ["packages/trust-admission/test/admit.test.ts"],
    inputs: ["RS-17"],
  },
  {
    name: "a destination is one origin, byte for byte",
    edits: [
      {
        file: TEXT,
        is: 'if (url.origin !== text || text.includes("*") || url.hostname.endsWith(".")) return false;',
        off: "",
      },
      {
        file: TEXT,
        is: 'return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackOrigin(text));',
        off: "return true;",
      },
    ],
    tests: FIELD_TESTS,
    inputs: ["RS-19", "RS-20"],
  },
  {
    name: "a permission has no wildcard",
    edits: [{ file: FIELDS, is: "/^[a-z][a-z0-9-]*(:[a-z0-9-]+)+$/,", off: "/^/," }],
    tests: FIELD_TESTS,
    inputs: ["RS-22"],
  },
  {
    name: "what is revoked or quarantined is not called",
    edits: [{ file: GOVERNANCE, is: 'if (state === "active") return [];', off: "return [];" }],
    tests: ["packages/trust-admission/test/admit-tool-call.test.ts"],
    inputs: ["RR-11"],
  },
];

/** What runs: where its source lies, the bytes of it, and how it is launched. */
export const REGISTRY_PROGRAMS: readonly Guard[] = [
  {
    name: "a path stays inside its root",
    edits: [
      {
        file: TEXT,
        is: "return path.length <= 512 && PATH.test(path);",
        off: "return true;",
      },
    ],
    tests: FIELD_TESTS,
    inputs: ["RP-01", "RP-02", "RP-07", "RP-08"],
  },
  {
    name: "a bundled module lies in the repository",
    edits: [
      {
        file: "packages/source-digest/src/read-source.ts",
        is: "const real = modules.map((module) => realpathSync(module));",
        off: "const real = modules;",
      },
      {
        file: "packages/source-digest/src/read-source.ts",
        is: 'if (path.startsWith("../"))',
        off: "if (false)",
      },
    ],
    tests: ["packages/source-digest/test/source-digest.test.ts"],
    inputs: ["RP-04"],
  },
  {
    name: "a measured file is opened once and not through a link",
    edits: [
      {
        file: "packages/mcp-guard/src/regular-file.ts",
        is: "const READ_NO_LINK = READ | (constants.O_NOFOLLOW ?? 0);",
        off: "const READ_NO_LINK = READ;",
      },
    ],
    tests: ["packages/mcp-guard/test/regular-file.test.ts"],
    inputs: ["RP-05"],
  },
  {
    name: "the source digest covers what is bundled from elsewhere",
    edits: [
      {
        file: "packages/source-digest/src/read-source.ts",
        is: "packages: [...distinct.values()],",
        off: "packages: [],",
      },
    ],
    tests: ["packages/source-digest/test/source-digest.test.ts"],
    inputs: ["RP-10"],
  },
  {
    name: "a source is compared byte for byte with the one that was built",
    edits: [
      {
        file: "packages/source-digest/src/verify-source.ts",
        is: ".filter(({ path, sha256: built }) => currentDigest(join(root, path)) !== built)",
        off: ".filter(() => false)",
      },
    ],
    tests: ["apps/eve-registry/test/commands/verify.test.ts"],
    inputs: ["RP-11"],
  },
  {
    name: "a command is the program itself, and each word can be seen",
    edits: [
      unrelated("commandIsTheProgram"),
      { file: TEXT, is: "return !HIDDEN.test(word) && /\\S/.test(word);", off: "return true;" },
    ],
    tests: [`${SCHEMA_TESTS}/entry-launch.test.ts`, ...FIELD_TESTS],
    inputs: ["RP-13", "RP-14"],
  },
  {
    name: "no variable of an entry steers how programs are loaded",
    edits: [{ file: TEXT, is: "return RUNTIME_VARIABLE.test(name);", off: "return false;" }],
    tests: [`${SCHEMA_TESTS}/entry-launch.test.ts`],
    inputs: ["RP-14"],
  },
];
