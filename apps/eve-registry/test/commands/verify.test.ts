import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { DAY_MS, goodGates, NOW, sixMonthsAfter } from "@eve/test-kit";
import { codesOf, run, runJson } from "../run.ts";
import {
  adoptBuild,
  build,
  digestsOf,
  editSource,
  ENTRY,
  newFolder,
  objectAt,
  put,
  removeFolders,
  reviewedWorkspace,
  setInEntry,
  textAt,
} from "../scratch.ts";
import { draftedRegistry } from "../packages.ts";
import { serverScript, surfacesWithTool } from "../server-script.ts";

afterEach(removeFolders);

const REPOSITORY = join(import.meta.dirname, "../../../..");
const later = { now: () => NOW + DAY_MS };

describe("a fresh registry", () => {
  test("verifies: exit 0, and nothing is written", async () => {
    const root = await reviewedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const { code, out, err } = await run(root, ["verify"], later);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe("registry: sequence 2, 1 entry\n✓ notes: fresh\n");
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });

  test("verifies live: the program serves what is pinned", async () => {
    const root = await reviewedWorkspace();
    const { code, out, progress } = await run(root, ["verify", "--live"], later);
    expect(code).toBe(0);
    expect(out).toContain("✓ notes: fresh, and served as pinned");
    expect(progress).toEqual(["notes: running the built program"]);
  });

  test("lies in a repository that rewrites no line ending (RP-11)", () => {
    expect(textAt(REPOSITORY, ".gitattributes")).toMatch(/^\* -text$/m);
  });

  test("answers one JSON value", async () => {
    const { code, json } = await runJson(await reviewedWorkspace(), ["verify"], later);
    expect(code).toBe(0);
    expect(json).toEqual({
      ok: true,
      sequence: 2,
      entries: [{ id: "notes", fresh: true, served: false }],
      refusals: [],
    });
  });
});

describe("what is stale is refused: exit 78 (ADR-0092-304)", () => {
  test.each([
    ["an edited source: source.changed", editSource],
    [
      "RP-11 a source with its line endings rewritten: source.changed",
      (root: string) => {
        const main = "apps/notes/src/main.ts";
        put(root, main, textAt(root, main).replaceAll("\n", "\r\n"));
      },
    ],
    [
      "a changed lock entry: source.changed",
      (root: string) => {
        put(root, "pnpm-lock.yaml", textAt(root, "pnpm-lock.yaml").replace("BBBB", "CCCC"));
      },
    ],
    [
      "an edited program: artifact.changed",
      (root: string) => appendFileSync(join(root, "apps/notes/dist/main.js"), " "),
    ],
    [
      "no program: artifact.changed",
      (root: string) => rmSync(join(root, "apps/notes/dist/main.js")),
    ],
    [
      "no build: artifact.changed",
      (root: string) => rmSync(join(root, "apps/notes/build"), { recursive: true }),
    ],
    [
      "another registry beside the program: registry.rollback",
      (root: string) => appendFileSync(join(root, "apps/notes/dist/registry.json"), " "),
    ],
    [
      "no registry beside the program: registry.rollback",
      (root: string) => rmSync(join(root, "apps/notes/dist/registry.json")),
    ],
    [
      "an edited report: evaluation.evidence_mismatch",
      (root: string) =>
        appendFileSync(join(root, "registry/evidence/notes/evaluation/report.json"), " "),
    ],
    [
      "an edited raw surface: review.evidence_mismatch",
      (root: string) =>
        appendFileSync(
          join(root, "registry/evidence/notes/review/surface-2025-11-25.jsonl"),
          "{}\n",
        ),
    ],
    [
      "a missing report: health.evidence_mismatch",
      (root: string) => rmSync(join(root, "registry/evidence/notes/health/report.json")),
    ],
    [
      "an edited permission: review.subject_changed",
      (root: string) => {
        setInEntry(root, ["tools", 1, "permissions"], ["notes:write"]);
      },
    ],
    [
      "a quarantine: lifecycle.quarantined",
      (root: string) => {
        setInEntry(root, ["lifecycle", "state"], "quarantined");
      },
    ],
    [
      "an unhealthy entry: health.unhealthy",
      (root: string) => {
        setInEntry(root, ["health", "status"], "unhealthy");
      },
    ],
  ])("%s", async (title, change) => {
    const root = await reviewedWorkspace();
    change(root);
    const result = await runJson(root, ["verify"], later);
    expect(result.code).toBe(78);
    expect(codesOf(result)).toContain(title.split(": ").at(-1));
    expect(result.json).toMatchObject({ ok: false, entries: [{ id: "notes", fresh: false }] });
    const human = await run(root, ["verify"], later);
    expect(human.out).toContain("✗ notes\n");
  });

  test("an entry of another version than its app: source.version_changed", async () => {
    const root = await reviewedWorkspace();
    const manifest = { ...objectAt(root, "apps/notes/package.json"), version: "1.5.0" };
    put(root, "apps/notes/package.json", JSON.stringify(manifest));
    expect(codesOf(await runJson(root, ["verify"], later))).toEqual([
      "source.changed",
      "source.version_changed",
    ]);
  });

  test("the place is named, with what was expected and found, and what to do", async () => {
    const root = await reviewedWorkspace();
    editSource(root);
    const { err } = await run(root, ["verify"], later);
    expect(err).toMatch(/^✗ source\.changed {2}The source is not the source that was reviewed$/m);
    expect(err).toMatch(
      /^ {4}notes: apps\/notes\/src\/main\.ts: expected as built, found changed since the build; run npm run build$/m,
    );
    expect(err).toMatch(/^ {4}→ Build from the reviewed commit/m);
  });

  test("a fault of the sources is told alone: registry.unparseable", async () => {
    const root = await reviewedWorkspace();
    put(root, ENTRY, textAt(root, ENTRY).slice(0, 300));
    const result = await runJson(root, ["verify"]);
    expect([result.code, codesOf(result)]).toEqual([78, ["registry.unparseable"]]);
  });
});

describe("dates, at their limits", () => {
  const health = NOW + 30 * DAY_MS;
  const review = Date.parse(sixMonthsAfter(NOW));
  const all = ["health.expired", "evaluation.expired", "review.expired"];
  test.each([
    ["one millisecond before health expires", health - 1, []],
    ["when health expires: health.expired", health, ["health.expired"]],
    ["one millisecond after health expired: health.expired", health + 1, ["health.expired"]],
    ["one millisecond before the review expires: health.expired", review - 1, ["health.expired"]],
    ["when the review expires: review.expired", review, all],
    ["one millisecond after the review expired: review.expired", review + 1, all],
    [
      "with a clock one millisecond behind the newest observation: clock.behind",
      NOW - 1,
      ["health.future", "evaluation.future", "review.future", "clock.behind"],
    ],
    ["with a clock at the newest observation", NOW, []],
  ])("%s", async (_title, now, codes) => {
    const result = await runJson(await reviewedWorkspace(), ["verify"], { now: () => now });
    expect(codesOf(result)).toEqual(codes);
    expect(result.code).toBe(codes.length === 0 ? 0 : 78);
  });
});

describe("--live", () => {
  test("finds a program that serves something else than its surface program shows: surface.description_drift", async () => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWithTool("get_note", (tool) => ({
      ...tool,
      description: "SERVER TEXT",
    }));
    build(root, serverScript({ surfaces }), serverScript());
    adoptBuild(root);
    const result = await runJson(root, ["verify", "--live"], later);
    expect(result.code).toBe(78);
    expect(new Set(codesOf(result))).toEqual(
      new Set(["surface.description_drift", "surface.definition_drift"]),
    );
    expect(JSON.stringify(result.json)).not.toContain("SERVER TEXT");
  });

  test("does not run what is stale already", async () => {
    const root = await reviewedWorkspace();
    appendFileSync(join(root, "apps/notes/dist/main.js"), " ");
    const { progress } = await run(root, ["verify", "--live"], later);
    expect(progress).toEqual([]);
  });

  test("says of a third party that it was not compared, and starts nothing", async () => {
    const { root, marker } = await draftedRegistry();
    const { code, out, err } = await run(root, ["verify", "--live"], later);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("✓ other-notes: fresh; not run from here, so not compared");
    expect(marker.exists()).toBe(false);
  });
});

describe("a third party's entry", () => {
  test("is judged by its dates and gates: gates.unmet", async () => {
    const { root } = await draftedRegistry();
    const manifest = {
      ...objectAt(root, "registry/registry.json"),
      dependencyGates: goodGates("unmet"),
    };
    put(root, "registry/registry.json", JSON.stringify(manifest));
    expect(codesOf(await runJson(root, ["verify"], later))).toEqual(["gates.unmet"]);
  });
});

test("a registry that is not there: registry.missing", async () => {
  const result = await runJson(newFolder(), ["verify", "--registry", "gone"]);
  expect([result.code, codesOf(result)]).toEqual([78, ["registry.missing"]]);
});
