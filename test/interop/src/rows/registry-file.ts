import { mkdirSync, symlinkSync } from "node:fs";
import { withChange, withValue } from "@eve/test-kit";
import { objectsAt, requireObject } from "../json.ts";
import type { Change } from "../trial.ts";
import { type RefusalRow, replaceOnce } from "./row.ts";

const encode = (text: string): Buffer => Buffer.from(text, "utf8");
const sequence = (written: string) => (text: string) =>
  text.replace(/"sequence": \d+/, `"sequence": ${written}`);
const lifecycleTwice = (name: string): ((text: string) => string) =>
  replaceOnce('"lifecycle": {', `"lifecycle": {"state":"revoked"},\n      "${name}": {`);
const firstEntry =
  (change: Change): Change =>
  (document) =>
    withChange(document, ["integrations", 0], (entry) => change(requireObject(entry)));
const andAnother =
  (id: string): Change =>
  (document) =>
    withChange(document, ["integrations"], () =>
      objectsAt(document, "integrations").flatMap((entry) => [entry, withValue(entry, ["id"], id)]),
    );

/** The file beside the program: not there, not a file, not strict JSON. */
const BYTES: readonly RefusalRow[] = [
  { what: "no registry file (D06)", file: () => undefined, code: "registry.missing" },
  {
    what: "a folder in the registry file's place",
    file: () => undefined,
    launch: ({ registry, launch }) => (mkdirSync(registry), launch),
    code: "registry.unreadable",
  },
  {
    what: "an endless device in the registry file's place",
    file: () => undefined,
    launch: ({ registry, launch }) => (symlinkSync("/dev/zero", registry), launch),
    code: "registry.unreadable",
  },
  {
    what: "RB-01 a byte order mark",
    file: (text) => `\uFEFF${text}`,
    code: "registry.unparseable",
  },
  {
    what: "RB-02 UTF-16 with a byte order mark",
    file: (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
    code: "registry.unparseable",
  },
  {
    what: "RB-04 an overlong NUL inside an id",
    file: (text) => {
      const [before = "", after = ""] = text.split('"oshun-workbench",', 2);
      return Buffer.concat([
        encode(`${before}"oshun`),
        Buffer.from([0xc0, 0x80]),
        encode(`",${after}`),
      ]);
    },
    code: "registry.unparseable",
  },
  { what: "RB-07 trailing garbage", file: (text) => `${text}\n}`, code: "registry.unparseable" },
  { what: "RB-08 two documents", file: (text) => text + text, code: "registry.unparseable" },
  { what: "RB-14 NaN", file: sequence("NaN"), code: "registry.unparseable" },
  { what: "RB-19 a comment", file: (text) => `// reviewed\n${text}`, code: "registry.unparseable" },
  { what: "RB-23 no bytes", file: () => "", code: "registry.unparseable" },
  { what: "RB-23 null", file: () => "null", code: "registry.unparseable" },
  {
    what: "RR-10 a file cut in the middle",
    file: (text) => text.slice(0, text.length / 2),
    code: "registry.unparseable",
  },
  {
    what: "RB-10 one key twice",
    file: lifecycleTwice("lifecycle"),
    code: "registry.duplicate_key",
  },
  {
    what: "RB-11 one key twice, once escaped",
    file: lifecycleTwice(String.raw`l\u0069fecycle`),
    code: "registry.duplicate_key",
  },
  {
    what: "RB-13 a constructor",
    file: replaceOnce('"lifecycle": {', '"constructor": {"prototype": {}},\n"lifecycle": {'),
    code: "registry.unsafe_key",
  },
  {
    what: "RB-13 a __proto__",
    file: replaceOnce('"lifecycle": {', '"__proto__": {"state": "active"},\n"lifecycle": {'),
    code: "registry.unsafe_key",
  },
  {
    what: "RB-05 a lone surrogate",
    file: replaceOnce('"contact": "', String.raw`"contact": "\ud800`),
    code: "registry.string_invalid",
  },
  {
    what: "RB-16 an integer no double holds",
    file: sequence("9007199254740993"),
    code: "registry.number_invalid",
  },
  { what: "RB-17 minus zero", file: sequence("-0"), code: "registry.number_invalid" },
  {
    what: "RB-20 ten thousand nested lists",
    file: sequence("[".repeat(10_000) + "]".repeat(10_000)),
    code: "registry.too_deep",
  },
  {
    what: "RB-22 a hundred thousand keys",
    file: sequence(`{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`).join(",")}}`),
    code: "registry.too_large",
  },
  {
    what: "a file of more than 8 MiB",
    file: (text) => text + " ".repeat(8 * 1024 * 1024),
    code: "registry.too_large",
  },
];

/** The document around the entries. */
const DOCUMENT: readonly RefusalRow[] = [
  {
    what: "RS-01 an unknown field of the document",
    document: (document) => ({ ...document, allow: "*" }),
    code: "registry.unknown_field",
  },
  {
    what: "no contract",
    document: (document) => withValue(document, ["contract"], undefined),
    code: "registry.field_missing",
  },
  {
    what: "another contract",
    document: (document) =>
      withValue(document, ["contract"], "eve.external-integration-registry.v2"),
    code: "registry.contract_unknown",
  },
  {
    what: "no list of entries",
    document: (document) => withValue(document, ["integrations"], undefined),
    code: "registry.field_missing",
  },
  {
    what: "an empty list of entries (D06)",
    document: (document) => withValue(document, ["integrations"], []),
    code: "registry.empty",
  },
  {
    what: "three of the four dependency gates",
    document: (document) => withValue(document, ["dependencyGates", 3], undefined),
    code: "registry.field_invalid",
  },
  { what: "a sequence of zero", file: sequence("0"), code: "registry.field_invalid" },
  {
    what: "RS-10 two entries of one id",
    document: andAnother("oshun-workbench"),
    code: "registry.duplicate_entry",
  },
  {
    what: "RS-11 two ids that look alike",
    document: andAnother("0shun-workbench"),
    code: "registry.id_collision",
  },
  {
    what: "RS-11 an id with a Cyrillic letter",
    document: andAnother("oshun-workbеnch"),
    code: "registry.field_invalid",
  },
  {
    what: "an entry without an id",
    document: firstEntry((entry) => withValue(entry, ["id"], undefined)),
    code: "registry.field_missing",
  },
  {
    what: "no entry of this program (D06)",
    document: firstEntry((entry) => withValue(entry, ["id"], "another-workbench")),
    code: "entry.absent",
  },
];

/** What the registry file as a whole is refused for. */
export const REGISTRY_FILE_ROWS: readonly RefusalRow[] = [...BYTES, ...DOCUMENT];
