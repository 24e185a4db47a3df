import { sha256 } from "@eve/canonical-json";
import { parseRegistry, type RegistryLimits } from "@eve/registry-schema";
import {
  bytesOf,
  goodDocument,
  goodEntry,
  NOW,
  thirdPartyEntry,
  withChange,
  withValue,
  objectIn,
} from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { DOCUMENT, ENTRY, faultsOfEntry, firstOf, refusalsOf, registryOf } from "./kit.ts";

const TEXT = JSON.stringify(DOCUMENT);
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? [...new TextEncoder().encode(part)] : part,
    ),
  );
const withSequence = (token: string): string => TEXT.replace('"sequence":1', `"sequence":${token}`);
const withLifecycle = (token: string): string => TEXT.replace('"state":"active"', token);

describe("a good document", () => {
  it("parses into complete records with the digest of its bytes", () => {
    const document = goodDocument({
      entries: [ENTRY, thirdPartyEntry({ now: NOW })],
      sequence: 7,
      gates: "met",
    });
    const result = parseRegistry(document.bytes);
    expect(result).toMatchObject({
      ok: true,
      registry: { sequence: 7, sha256: sha256(document.bytes) },
    });
    if (!result.ok) return;
    expect([...result.registry.integrations].map(([id, { status }]) => [id, status])).toEqual([
      ["notes", "complete"],
      ["other-notes", "complete"],
    ]);
  });

  it("keeps the newest of all observations, reviews and lifecycle changes", () => {
    expect(registryOf(DOCUMENT).newestObservationMs).toBe(NOW - 3_600_000);
    const later = withValue(ENTRY, ["lifecycle", "since"], "2026-12-01T11:59:59.999Z");
    expect(registryOf(goodDocument({ entries: [later] }).value).newestObservationMs).toBe(NOW - 1);
  });

  it("is frozen, entries and raw values too", () => {
    const { integrations, dependencyGates } = registryOf(DOCUMENT);
    const record = integrations.get("notes");
    if (record?.status !== "complete") throw new TypeError("complete");
    for (const value of [
      record,
      record.entry,
      record.entry.tools[0],
      record.raw,
      record.raw["tools"],
      dependencyGates,
    ])
      expect(Object.isFrozen(value)).toBe(true);
  });

  it("does not depend on the order of its keys", () => {
    const reversed = withChange(DOCUMENT, ["integrations", 0], (entry) =>
      Object.fromEntries(Object.entries(objectIn(entry)).toReversed()),
    );
    expect(registryOf(reversed).integrations.get("notes")?.status).toBe("complete");
  });
});

describe("bytes that are not one strict JSON document", () => {
  const wide = `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":0`).join(",")}}`;
  const rows: readonly (readonly [title: string, input: Uint8Array | string, code: string])[] = [
    ["RB-01 a byte order mark", bytes([0xef, 0xbb, 0xbf], TEXT), "registry.unparseable"],
    [
      "RB-02 UTF-16LE",
      Uint8Array.from(
        `\ufeff${TEXT}`.split("").flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
      ),
      "registry.unparseable",
    ],
    [
      "RB-04 an overlong sequence",
      bytes(
        TEXT.slice(0, TEXT.indexOf('notes"')),
        [0xc0, 0x80],
        TEXT.slice(TEXT.indexOf('notes"')),
      ),
      "registry.unparseable",
    ],
    [
      "RB-05 a lone surrogate",
      TEXT.replace('"notes-team"', String.raw`"\ud800"`),
      "registry.string_invalid",
    ],
    [
      "a NUL in a string",
      TEXT.replace('"notes-team"', String.raw`"a\u0000"`),
      "registry.string_invalid",
    ],
    ["RB-07 something after the document", `${TEXT}\n}`, "registry.unparseable"],
    ["RB-08 two documents", `${TEXT}${TEXT}`, "registry.unparseable"],
    [
      "RB-10 a key twice",
      withLifecycle('"state":"revoked","state":"active"'),
      "registry.duplicate_key",
    ],
    [
      "RB-11 a key twice after unescaping",
      withLifecycle(String.raw`"state":"revoked","\u0073tate":"active"`),
      "registry.duplicate_key",
    ],
    [
      "a key __proto__",
      withLifecycle('"state":"active","__proto__":{"state":"active"}'),
      "registry.unsafe_key",
    ],
    [
      "RB-13 a key constructor",
      withLifecycle('"state":"active","constructor":{"prototype":{}}'),
      "registry.unsafe_key",
    ],
    ["RB-14 NaN", withSequence("NaN"), "registry.unparseable"],
    ["RB-14 Infinity", withSequence("Infinity"), "registry.unparseable"],
    [
      "RB-16 an integer that a double cannot hold",
      withSequence("9007199254740993"),
      "registry.number_invalid",
    ],
    ["RB-17 negative zero", withSequence("-0"), "registry.number_invalid"],
    ["RB-19 a comment", `// registry\n${TEXT}`, "registry.unparseable"],
    ["RB-19 a trailing comma", `${TEXT.slice(0, -1)},}`, "registry.unparseable"],
    ["RB-19 single quotes", TEXT.replaceAll('"', "'"), "registry.unparseable"],
    ["RB-19 a hexadecimal number", withSequence("0x10"), "registry.unparseable"],
    [
      "RB-20 ten thousand nested lists",
      withSequence("[".repeat(10_000) + "]".repeat(10_000)),
      "registry.too_deep",
    ],
    ["RB-22 more than 8 MiB", `{"a":"${"x".repeat(8 * 1024 * 1024)}"}`, "registry.too_large"],
    ["RB-22 an object with more members than a registry needs", wide, "registry.too_large"],
    [
      "RB-22 a deep object with more members than a registry needs",
      withSequence(wide),
      "registry.too_large",
    ],
    [
      "a list of 5,000 entries",
      JSON.stringify(
        withValue(
          DOCUMENT,
          ["integrations"],
          Array.from({ length: 5000 }, (_, i) => ({ id: `a${i}` })),
        ),
      ),
      "registry.too_large",
    ],
    ["RB-23 no bytes", "", "registry.unparseable"],
    ["RB-23 null", "null", "registry.unparseable"],
    ["RB-23 a list", "[]", "registry.unparseable"],
    ["RB-23 a string", '"x"', "registry.unparseable"],
  ];
  it.each(rows.map(([title, input, code]) => ({ title, input, code })))(
    "refuses $title: $code",
    ({ input, code }) => {
      const [refusal, ...others] = refusalsOf(input);
      expect(refusal).toMatchObject({ code, integration: null });
      expect(others).toEqual([]);
    },
  );

  it("refuses each the same way a hundred times, in less than a second of work each (O5, O6)", () => {
    for (const [title, input, code] of rows) {
      const file = typeof input === "string" ? new TextEncoder().encode(input) : input;
      const first = JSON.stringify(refusalsOf(file));
      const before = process.cpuUsage();
      for (let again = 1; again < 100; again++)
        expect(JSON.stringify(refusalsOf(file))).toBe(first);
      const { user, system } = process.cpuUsage(before);
      expect([title, code, (user + system) / 99 < 1_000_000]).toEqual([title, code, true]);
    }
  });

  it("says the line and column of the fault", () => {
    expect(refusalsOf('{\n  "contract": tru }')[0]).toMatchObject({
      code: "registry.unparseable",
      subject: expect.stringMatching(/^line 2, column \d+$/),
    });
  });
});

describe("the parts of the document", () => {
  const rows: readonly (readonly [
    title: string,
    path: readonly (string | number)[],
    value: Parameters<typeof withValue>[2],
    expected: string,
  ])[] = [
    ["RS-01 an unknown field", ["allow"], "*", "registry.unknown_field allow"],
    [
      "another contract",
      ["contract"],
      "eve.external-integration-registry.v2",
      "registry.contract_unknown contract",
    ],
    ["a contract that is null", ["contract"], null, "registry.contract_unknown contract"],
    ["no contract", ["contract"], undefined, "registry.field_missing contract"],
    ["no sequence", ["sequence"], undefined, "registry.field_missing sequence"],
    ["sequence 0", ["sequence"], 0, "registry.field_invalid sequence"],
    ["a fractional sequence", ["sequence"], 1.5, "registry.field_invalid sequence"],
    ["a sequence in a string", ["sequence"], "1", "registry.field_invalid sequence"],
    ["no gates", ["dependencyGates"], undefined, "registry.field_missing dependencyGates"],
    ["an empty list of gates", ["dependencyGates"], [], "registry.field_invalid dependencyGates"],
    [
      "a gate left out",
      ["dependencyGates", 2],
      undefined,
      "registry.field_invalid dependencyGates",
    ],
    [
      "a gate of another task",
      ["dependencyGates", 0, "task"],
      "4.9",
      "registry.field_invalid dependencyGates[0].task",
    ],
    [
      "a gate twice",
      ["dependencyGates", 1, "task"],
      "4.8",
      "registry.field_invalid dependencyGates",
    ],
    [
      "a gate of another subject",
      ["dependencyGates", 1, "subject"],
      "release",
      "registry.field_invalid dependencyGates",
    ],
    [
      "a gate of unknown status",
      ["dependencyGates", 1, "status"],
      "waived",
      "registry.field_invalid dependencyGates[1].status",
    ],
    [
      "a met gate without evidence",
      ["dependencyGates", 1, "status"],
      "met",
      "registry.field_missing dependencyGates[1].metAt",
    ],
    [
      "an unmet gate with a date",
      ["dependencyGates", 1, "metAt"],
      "2026-11-01T00:00:00Z",
      "registry.unknown_field dependencyGates[1].metAt",
    ],
    ["no integrations", ["integrations"], undefined, "registry.field_missing integrations"],
    ["integrations that are no list", ["integrations"], {}, "registry.field_invalid integrations"],
    ["an empty list of integrations", ["integrations"], [], "registry.empty integrations"],
    [
      "an entry that is no object",
      ["integrations", 0],
      3,
      "registry.field_missing integrations[0].id",
    ],
    [
      "an entry without id",
      ["integrations", 0, "id"],
      undefined,
      "registry.field_missing integrations[0].id",
    ],
    [
      "an id that is a number",
      ["integrations", 0, "id"],
      7,
      "registry.field_invalid integrations[0].id",
    ],
    [
      "an id that is null",
      ["integrations", 0, "id"],
      null,
      "registry.field_invalid integrations[0].id",
    ],
  ];
  it.each(rows)("refuses %s", (_title, path, value, expected) => {
    expect(firstOf(refusalsOf(withValue(DOCUMENT, path, value)))).toBe(expected);
  });

  it.each([
    "café",
    "cafe\u0301",
    "Notes",
    "n\u043etes",
    "-notes",
    "notes_1",
    "notes ",
    "",
    "n".repeat(65),
    "notes.v1",
    "../notes",
  ])("refuses the id %j RS-11: registry.field_invalid", (id) => {
    expect(firstOf(refusalsOf(withValue(DOCUMENT, ["integrations", 0, "id"], id)))).toBe(
      "registry.field_invalid integrations[0].id",
    );
  });

  it("accepts ids of 1 and of 64 characters", () => {
    for (const id of ["n", "0", "n".repeat(64)])
      expect(faultsOfEntry(goodEntry({ now: NOW, id }))).toEqual([]);
  });

  it("refuses two entries of one id, one revoked and one active RS-10: registry.duplicate_entry", () => {
    const revoked = withValue(ENTRY, ["lifecycle", "state"], "revoked");
    expect(refusalsOf(goodDocument({ entries: [revoked, ENTRY] }).value)).toMatchObject([
      { code: "registry.duplicate_entry", integration: "notes" },
    ]);
  });

  it.each([
    ["notes", "n0tes"],
    ["my-notes", "mynotes"],
    ["bel1ona", "bellona"],
    ["bellona", "beilona"],
    ["note5", "notes"],
    ["memos", "rnemos"],
    ["view", "vievv"],
  ])("refuses the ids %s and %s, too alike: registry.id_collision", (a, b) => {
    const entries = [a, b].map((id) => goodEntry({ now: NOW, id }));
    expect(refusalsOf(goodDocument({ entries }).value)).toMatchObject([
      { code: "registry.id_collision", integration: b },
    ]);
  });

  it("leaves the other entries alone where one has a fault", () => {
    const entries = [withValue(ENTRY, ["owner"], undefined), goodEntry({ now: NOW, id: "memos" })];
    const { integrations } = registryOf(goodDocument({ entries }).value);
    expect(integrations.get("notes")).toMatchObject({
      status: "faulty",
      refusals: [{ code: "registry.field_missing", subject: "owner", integration: "notes" }],
    });
    expect(integrations.get("memos")?.status).toBe("complete");
  });

  it("counts no faulty entry's dates", () => {
    const faulty = withValue(
      withValue(
        goodEntry({ now: NOW, id: "memos" }),
        ["lifecycle", "since"],
        "2027-01-01T00:00:00Z",
      ),
      ["owner"],
      undefined,
    );
    expect(registryOf(goodDocument({ entries: [ENTRY, faulty] }).value).newestObservationMs).toBe(
      NOW - 3_600_000,
    );
  });

  it("never throws on bytes of any kind", () => {
    for (let byte = 0; byte < 256; byte++)
      expect(refusalsOf(Uint8Array.of(byte, byte))[0]?.code).toMatch(/^registry\./);
    expect(refusalsOf(bytesOf({}))[0]?.code).toBe("registry.field_missing");
  });
});

describe("limits that a library names", () => {
  const many = goodDocument({
    entries: Array.from({ length: 3 }, (_, n) => goodEntry({ now: NOW, id: `entry-${n}x` })),
  }).bytes;
  const codeWith = (limits: Partial<RegistryLimits>): string => {
    const result = parseRegistry(many, { limits });
    return result.ok ? "a registry" : result.refusals[0].code;
  };

  it("bound bytes, to the byte: registry.too_large", () => {
    expect(codeWith({ maxBytes: many.length })).toBe("a registry");
    expect(codeWith({ maxBytes: many.length - 1 })).toBe("registry.too_large");
  });

  it("bound values and members: registry.too_large", () => {
    expect(codeWith({ maxValues: 100 })).toBe("registry.too_large");
    expect(codeWith({ maxMembers: 5 })).toBe("registry.too_large");
    expect(codeWith({ maxMembers: Number.NaN })).toBe("registry.too_large");
  });

  it("may be larger than those of a program, which are 8 MiB, 250,000 values and 4096 members", () => {
    const spaces = bytes(TEXT, " ".repeat(8 * 1024 * 1024 + 1 - TEXT.length));
    const wide = bytes(TEXT.replace('"integrations":[', `"integrations":[${"0,".repeat(4096)}`));
    expect(firstOf(refusalsOf(spaces))).toBe("registry.too_large line 1, column 1");
    expect(parseRegistry(spaces, { limits: { maxBytes: spaces.length } }).ok).toBe(true);
    expect(firstOf(refusalsOf(wide))).toBe("registry.too_large document");
    const result = parseRegistry(wide, { limits: { maxMembers: 5000 } });
    expect(result.ok ? "a registry" : firstOf(result.refusals)).toBe(
      "registry.field_missing integrations[0].id",
    );
  });
});
