import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseRegistry } from "@eve/registry-schema";
import { withValue } from "@eve/test-kit";
import { codesOf, run, runJson } from "../run.ts";
import {
  digestsOf,
  ENTRY,
  objectAt,
  put,
  removeFolders,
  reviewedWorkspace,
  setInEntry,
  textAt,
} from "../scratch.ts";

afterEach(removeFolders);

const ASSEMBLE = ["assemble", "--to", "out"] as const;

describe("assembling", () => {
  test("writes the document that a program obeys, into a folder it makes", async () => {
    const root = await reviewedWorkspace();
    const { code, out, err } = await run(root, ASSEMBLE);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`✓ ${join(root, "out/registry.json")}: sequence 2, 1 entry\n`);
    const parsed = parseRegistry(readFileSync(join(root, "out/registry.json")));
    expect(parsed).toMatchObject({ ok: true, registry: { sequence: 2 } });
  });

  test("starts a relative folder from where it was called", async () => {
    const root = await reviewedWorkspace();
    mkdirSync(join(root, "apps/notes/deep"));
    expect((await run(join(root, "apps/notes/deep"), ASSEMBLE)).code).toBe(0);
    expect(existsSync(join(root, "apps/notes/deep/out/registry.json"))).toBe(true);
  });

  test("writes the same bytes each time", async () => {
    const root = await reviewedWorkspace();
    await run(root, ASSEMBLE);
    const first = digestsOf(join(root, "out"));
    await run(root, ASSEMBLE);
    expect(digestsOf(join(root, "out"))).toEqual(first);
  });

  test("answers one JSON value", async () => {
    const root = await reviewedWorkspace();
    const { code, json } = await runJson(root, ASSEMBLE);
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, refusals: [], sequence: 2, integrations: ["notes"] });
  });
});

const edit = (root: string, change: (text: string) => string): void =>
  put(root, ENTRY, change(textAt(root, ENTRY)));

describe("what is refused leaves the folder's bytes as they were: exit 78", () => {
  test.each([
    [
      "a half-written entry: registry.unparseable",
      (root: string) => edit(root, (text) => text.slice(0, 500)),
      /^integrations\/notes\.json, line \d+, column \d+$/,
    ],
    [
      "a key named twice: registry.duplicate_key",
      (root: string) => edit(root, (text) => text.replace("{", '{"id": "notes",')),
      /^integrations\/notes\.json, line 2, column \d+$/,
    ],
    [
      "an unknown field: registry.unknown_field",
      (root: string) => put(root, ENTRY, JSON.stringify({ ...objectAt(root, ENTRY), extra: 1 })),
      /^extra$/,
    ],
    [
      "a missing field: registry.field_missing",
      (root: string) =>
        put(root, ENTRY, JSON.stringify(withValue(objectAt(root, ENTRY), ["owner"], undefined))),
      /^owner$/,
    ],
    [
      "an entry under another name: registry.field_invalid",
      (root: string) => setInEntry(root, ["id"], "other"),
      /^integrations\/notes\.json: id$/,
    ],
    [
      "an edited report: health.evidence_mismatch",
      (root: string) =>
        appendFileSync(join(root, "registry/evidence/notes/health/report.json"), "\n"),
      /^evidence\/notes\/health\/report\.json: sha256$/,
    ],
  ])("%s", async (title, change, subject) => {
    const root = await reviewedWorkspace();
    put(root, "out/registry.json", "old bytes");
    change(root);
    const result = await runJson(root, ASSEMBLE);
    expect(result.code).toBe(78);
    expect(codesOf(result)[0]).toBe(title.split(": ")[1]);
    expect(result.json.refusals[0]?.subject).toMatch(subject);
    expect(textAt(root, "out/registry.json")).toBe("old bytes");
    const human = await run(root, ASSEMBLE);
    expect([human.code, human.out]).toEqual([78, ""]);
    expect(human.err).toContain(`${result.json.refusals[0]?.subject}: expected`);
    expect(human.err).toContain("    → ");
  });
});

test("a folder that cannot be made is a fault: exit 70, and says which", async () => {
  const root = await reviewedWorkspace();
  const { code, out, err } = await run(root, ["assemble", "--to", "pnpm-lock.yaml/dist"]);
  expect([code, out]).toEqual([70, ""]);
  expect(err).toContain("pnpm-lock.yaml/dist");
});
