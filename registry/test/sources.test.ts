import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  assemble,
  assembleWithEvidence,
  evidenceReader,
  fileObject,
  readSources,
} from "../src/sources.ts";
import { write, writeGoodSources } from "./sources-folder.ts";

let folder = "";
beforeEach(() => {
  folder = writeGoodSources();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entryFile = "integrations/notes.json";
const edit = (file: string, change: (text: string) => string): void =>
  write(folder, file, change(readFileSync(join(folder, file), "utf8")));

function firstRefusal(): { readonly code: string; readonly subject: string } | undefined {
  const read = readSources(folder);
  if (!read.ok) return read.refusals[0];
  const assembled = assembleWithEvidence(read.sources);
  return assembled.ok ? undefined : assembled.refusals[0];
}

describe("a folder of sources", () => {
  test("assembles into a document whose entries are in the order of their ids", () => {
    const read = readSources(folder);
    const assembled = read.ok ? assembleWithEvidence(read.sources) : read;
    expect(assembled).toMatchObject({ ok: true });
    if (!assembled.ok) return;
    expect([...assembled.registry.integrations.keys()]).toEqual(["notes"]);
    expect(JSON.parse(Buffer.from(assembled.bytes).toString())).toMatchObject({ sequence: 1 });
  });

  test("assembles to the same bytes each time", () => {
    const bytes = [1, 2].map(() => {
      const read = readSources(folder);
      const assembled = read.ok ? assemble(read.sources) : read;
      return assembled.ok ? Buffer.from(assembled.bytes).toString("hex") : "refused";
    });
    expect(bytes[0]).toBe(bytes[1]);
    expect(bytes[0]).not.toBe("refused");
  });
});

describe("a fault of a file names the file", () => {
  test.each([
    [
      "a missing manifest: registry.missing",
      "registry.missing",
      "registry.json",
      () => rmSync(join(folder, "registry.json")),
    ],
    [
      "a missing folder of entries: registry.missing",
      "registry.missing",
      "integrations/",
      () => rmSync(join(folder, "integrations"), { recursive: true }),
    ],
    [
      "a half-written entry (RR-10): registry.unparseable",
      "registry.unparseable",
      entryFile,
      () => edit(entryFile, (text) => text.slice(0, 400)),
    ],
    [
      "a key named twice (RB-10): registry.duplicate_key",
      "registry.duplicate_key",
      entryFile,
      () => edit(entryFile, (text) => text.replace("{", '{"id":"notes",')),
    ],
    [
      "a number in the manifest that no double holds (RB-16): registry.number_invalid",
      "registry.number_invalid",
      "registry.json",
      () =>
        edit("registry.json", (text) =>
          text.replace(/"sequence":\s*1/, '"sequence":9007199254740993'),
        ),
    ],
    [
      "a list in place of an entry: registry.unparseable",
      "registry.unparseable",
      entryFile,
      () => write(folder, entryFile, "[]"),
    ],
    [
      "an entry in another entry's file: registry.field_invalid",
      "registry.field_invalid",
      "integrations/other.json",
      () => renameSync(join(folder, entryFile), join(folder, "integrations/other.json")),
    ],
    [
      "a link in place of an entry (RP-05): registry.unreadable",
      "registry.unreadable",
      entryFile,
      () => {
        renameSync(join(folder, entryFile), join(folder, "elsewhere"));
        symlinkSync(join(folder, "elsewhere"), join(folder, entryFile));
      },
    ],
    [
      "no entry at all: registry.empty",
      "registry.empty",
      "integrations",
      () => rmSync(join(folder, entryFile)),
    ],
  ])("%s", (_title, code, subject, harm) => {
    harm();
    const refusal = firstRefusal();
    expect(refusal?.code).toBe(code);
    expect(refusal?.subject).toContain(subject);
  });

  test("and the line and column of a fault of form", () => {
    edit(entryFile, (text) => `{\n${text.slice(1)}`.replace("{\n", "{\n  oops,\n"));
    expect(firstRefusal()?.subject).toMatch(/integrations\/notes\.json, line 2, column \d+/);
  });
});

/** Puts `$schema` before all else into a source file. */
function name(file: string, reference: string): void {
  edit(file, (old) => old.replace("{", `{"$schema":${reference},`));
}

/** The assembled document, or the code of its first refusal. */
function assembledText(): string {
  const read = readSources(folder);
  const assembled = read.ok ? assembleWithEvidence(read.sources) : read;
  return assembled.ok ? Buffer.from(assembled.bytes).toString() : assembled.refusals[0].code;
}

describe("the name of a JSON Schema in a source file", () => {
  const reference = "../schema/eve.external-integration-registry.v1.entry.schema.json";
  const ofManifest = "./schema/eve.external-integration-registry.v1.manifest.schema.json";
  test("is no part of the assembled document, whose bytes it does not change", () => {
    const before = assembledText();
    name(entryFile, JSON.stringify(reference));
    name("registry.json", JSON.stringify(ofManifest));
    expect(before).toContain("eve.external-integration-registry.v1");
    expect(assembledText()).toBe(before);
    expect(before).not.toContain("$schema");
  });

  test("is put back, first of all, into the object of a file that had it, and into no other", () => {
    name(entryFile, JSON.stringify(reference));
    const read = readSources(folder);
    if (!read.ok) throw new TypeError(read.refusals[0].code);
    const [entry] = read.sources.entries;
    expect(entry?.raw).not.toHaveProperty("$schema");
    expect(Object.entries(fileObject(read.sources, entryFile, { id: "notes" }))).toEqual([
      ["$schema", reference],
      ["id", "notes"],
    ]);
    expect(fileObject(read.sources, "registry.json", {})).toEqual({});
  });

  test.each([
    ["an entry", entryFile, JSON.stringify(ofManifest)],
    ["an entry", entryFile, JSON.stringify(`/elsewhere/${reference}`)],
    ["an entry", entryFile, '"https://schema.example/entry.json"'],
    ["an entry", entryFile, "null"],
    ["an entry", entryFile, '""'],
    ["the manifest", "registry.json", JSON.stringify(reference)],
    ["the manifest", "registry.json", "{}"],
  ])("refuses in %s another one (%s, %s): registry.field_invalid", (_title, file, value) => {
    name(file, value);
    expect(firstRefusal()).toMatchObject({
      code: "registry.field_invalid",
      subject: `${file}: $schema`,
    });
  });

  test("is refused inside an entry: registry.unknown_field", () => {
    edit(entryFile, (old) => old.replace('"owner": {', `"owner": {"$schema":"${reference}",`));
    expect(firstRefusal()).toMatchObject({
      code: "registry.unknown_field",
      subject: "owner.$schema",
    });
  });
});

describe("evidence", () => {
  test("that is gone refuses: health.evidence_mismatch", () => {
    rmSync(join(folder, "evidence/notes/health"), { recursive: true });
    expect(firstRefusal()?.code).toBe("health.evidence_mismatch");
  });

  test("with one byte more refuses: evaluation.evidence_mismatch", () => {
    const file = "evidence/notes/evaluation/report.json";
    edit(file, (text) => `${text} `);
    expect(firstRefusal()?.code).toBe("evaluation.evidence_mismatch");
  });

  test("is not read through a linked folder (RP-04): health.evidence_mismatch", () => {
    renameSync(join(folder, "evidence/notes/health"), join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "evidence/notes/health"));
    expect(firstRefusal()?.code).toBe("health.evidence_mismatch");
  });

  test("is read only from evidence/, and through no link (RP-01, RP-02)", () => {
    const read = evidenceReader(folder);
    write(folder, "secret", "x");
    symlinkSync(join(folder, "secret"), join(folder, "evidence/link"));
    const reachable = [
      "../secret",
      "/etc/passwd",
      "secret",
      "evidence/../secret",
      "evidence/link",
      "evidence//notes",
    ].filter((path) => read(path) !== undefined);
    expect(reachable).toEqual([]);
    expect(read("evidence/notes/health/report.json")).toBeDefined();
  });
});
