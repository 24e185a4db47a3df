import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import { parseEvidenceReport } from "@eve/registry-schema";
import {
  at,
  DAY_MS,
  goodSurface,
  NOW,
  pinsOfServer,
  pinsOfTool,
  sixMonthsAfter,
  valueAt,
} from "@eve/test-kit";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codesOf, run, runJson } from "../run.ts";
import {
  build,
  digestsOf,
  editSource,
  ENTRY,
  objectAt,
  put,
  removeFolders,
  REVIEW,
  reviewedWorkspace,
  setInEntry,
  suite,
  textAt,
  unreviewedWorkspace,
} from "../scratch.ts";
import { serverScript, surfacesWith, surfacesWithTool } from "../server-script.ts";

const RENEW = ["renew", "notes", "--reason", "Source changed"] as const;
const LATER = NOW + 3 * DAY_MS;
const later = { now: () => LATER + 999 };

afterEach(removeFolders);

async function refusedWholly(
  root: string,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly codes: readonly string[]; readonly message: string }> {
  const before = digestsOf(join(root, "registry"));
  const result = await runJson(root, argv, later);
  expect(digestsOf(join(root, "registry"))).toEqual(before);
  expect(result.json.ok).toBe(false);
  expect(JSON.stringify(result.json)).not.toContain("SERVER TEXT");
  return { code: result.code, codes: codesOf(result), message: result.json.error?.message ?? "" };
}

describe("the first review of an entry", () => {
  test("writes the entry, three reports, the raw surfaces and the next sequence (ADR-0092-229)", async () => {
    const root = unreviewedWorkspace();
    const { code, json } = await runJson(root, REVIEW);
    expect(json).toMatchObject({ ok: true, refusals: [], renewed: ["notes"], sequence: 2 });
    expect(code).toBe(0);
    expect(Object.keys(digestsOf(join(root, "registry")))).toEqual([
      "evidence/notes/evaluation/report.json",
      "evidence/notes/health/report.json",
      "evidence/notes/review/report.json",
      "evidence/notes/review/surface-2025-11-25.jsonl",
      "evidence/notes/review/surface-2026-07-28.jsonl",
      "integrations/notes.json",
      "registry.json",
    ]);
    expect(objectAt(root, "registry/registry.json")["sequence"]).toBe(2);
  });

  test("dates health for exactly 30 days, evaluation and review for six calendar months", async () => {
    const entry = objectAt(await reviewedWorkspace(), ENTRY);
    const months = { expiresAt: sixMonthsAfter(NOW) };
    expect(entry["health"]).toMatchObject({
      status: "healthy",
      observedAt: at(NOW),
      expiresAt: at(NOW + 30 * DAY_MS),
    });
    expect(entry["evaluation"]).toMatchObject({ status: "passed", observedAt: at(NOW), ...months });
    expect(entry["review"]).toMatchObject({
      basis: "reviewed",
      reviewer: "eve-security",
      reviewedAt: at(NOW),
      ...months,
    });
  });

  test("pins what the program serves, and keeps the members in the file's order", async () => {
    const before = Object.keys(objectAt(unreviewedWorkspace(), ENTRY));
    const entry = objectAt(await reviewedWorkspace(), ENTRY);
    const surface = goodSurface("2026-07-28");
    const [tool] = surface.tools;
    expect(Object.keys(entry)).toEqual(before);
    expect(valueAt(entry, ["surface", "2026-07-28"])).toEqual(pinsOfServer(surface));
    expect(valueAt(entry, ["tools", 0, "pins", "definition", "2026-07-28"])).toBe(
      pinsOfTool(tool ?? {}).definition,
    );
  });

  test("keeps the reason, the counts and the command in evidence that parses", async () => {
    const root = await reviewedWorkspace();
    const read = (kind: string): unknown => {
      const parsed = parseEvidenceReport(
        readFileSync(join(root, `registry/evidence/notes/${kind}/report.json`)),
      );
      return parsed.ok ? parsed.report : parsed.reason;
    };
    const common = {
      reason: "First review",
      command: ["eve-registry", "renew", "notes", "--review"],
    };
    expect(read("health")).toMatchObject({ ...common, outcome: "healthy" });
    expect(read("review")).toMatchObject({ ...common, reviewer: "eve-security" });
    expect(read("evaluation")).toMatchObject({
      ...common,
      tests: { passed: 1, failed: 0, skipped: 0 },
    });
  });

  test("is refused without a review: exit 2, and nothing is written", async () => {
    const { code, message } = await refusedWholly(unreviewedWorkspace(), RENEW);
    expect(code).toBe(2);
    expect(message).toContain("--review --reviewer TEAM");
  });

  test("leaves no temporary file in the registry", async () => {
    const root = await reviewedWorkspace();
    expect(
      Object.keys(digestsOf(join(root, "registry"))).filter((path) => path.endsWith(".tmp")),
    ).toEqual([]);
  });
});

describe("a change of source alone", () => {
  test("renews without a review, and the review stays", async () => {
    const root = await reviewedWorkspace();
    const before = objectAt(root, ENTRY);
    const report = textAt(root, "registry/evidence/notes/review/report.json");
    editSource(root);
    build(root, `// rebuilt\n${serverScript()}`);
    const { code, err } = await run(root, RENEW, later);
    expect([code, err]).toEqual([0, ""]);
    const after = objectAt(root, ENTRY);
    expect(after["review"]).toEqual(before["review"]);
    expect(textAt(root, "registry/evidence/notes/review/report.json")).toBe(report);
    expect(after["source"]).not.toEqual(before["source"]);
    expect(after["health"]).toMatchObject({
      observedAt: at(LATER),
      expiresAt: at(LATER + 30 * DAY_MS),
    });
    expect(objectAt(root, "registry/registry.json")["sequence"]).toBe(3);
  });

  test("leaves each file the name of its JSON Schema, before all else", async () => {
    const root = await reviewedWorkspace();
    const name = "eve.external-integration-registry.v1";
    const references = [
      [ENTRY, `../schema/${name}.entry.schema.json`],
      ["registry/registry.json", `./schema/${name}.manifest.schema.json`],
    ] as const;
    for (const [file, $schema] of references)
      put(root, file, JSON.stringify({ $schema, ...objectAt(root, file) }));
    editSource(root);
    build(root, `// rebuilt\n${serverScript()}`);
    expect((await run(root, RENEW, later)).code).toBe(0);
    expect(objectAt(root, "registry/registry.json")["sequence"]).toBe(3);
    for (const [file, $schema] of references)
      expect(Object.entries(objectAt(root, file))[0]).toEqual(["$schema", $schema]);
  });

  test("is refused while the build is older than its source, and the file is named", async () => {
    const root = await reviewedWorkspace();
    editSource(root);
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("apps/notes/src/main.ts");
    expect(message).toContain("npm run build");
  });

  test("is refused once the review has expired: review.expired", async () => {
    const root = await reviewedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const expired = { now: () => Date.parse(sixMonthsAfter(NOW)) };
    const result = await runJson(root, RENEW, expired);
    expect(result.code).toBe(78);
    expect(codesOf(result)).toEqual(["review.expired"]);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });
});

describe("what a review decides is not renewed without one (ADR-0092-305)", () => {
  const described = surfacesWithTool("add_note", (tool) => ({
    ...tool,
    description: "SERVER TEXT: adds a note and mails it.",
  }));
  const schema = surfacesWithTool("add_note", (tool) => ({
    ...tool,
    inputSchema: { type: "object" },
  }));
  const instructed = surfacesWith((surface) => ({ ...surface, instructions: "SERVER TEXT" }));

  test.each([
    ["a description", (root: string) => build(root, serverScript({ surfaces: described }))],
    ["an input schema", (root: string) => build(root, serverScript({ surfaces: schema }))],
    ["the instructions", (root: string) => build(root, serverScript({ surfaces: instructed }))],
    [
      "a tool's permission",
      (root: string) => {
        setInEntry(root, ["tools", 1, "permissions"], ["notes:write"]);
      },
    ],
    [
      "a credential's scope",
      (root: string) => {
        setInEntry(root, ["credentials", 1, "scopes"], ["notes:write"]);
      },
    ],
    [
      "a credential's destination",
      (root: string) => {
        setInEntry(root, ["credentials", 0, "destinations"], ["https://archive.eve.example"]);
      },
    ],
    [
      "a destination",
      (root: string) => {
        setInEntry(root, ["destinations", 2, "origin"], "https://other.eve.example");
      },
    ],
    [
      "a destination's data class",
      (root: string) => {
        setInEntry(root, ["destinations", 2, "dataClasses"], ["usage", "note"]);
      },
    ],
    [
      "a setting",
      (root: string) => {
        setInEntry(root, ["configuration", 1, "required"], true);
      },
    ],
    [
      "the owner",
      (root: string) => {
        setInEntry(root, ["owner", "team"], "other-team");
      },
    ],
  ])("%s: exit 2, nothing is written", async (_title, change) => {
    const root = await reviewedWorkspace();
    change(root);
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("changed since the review");
  });

  test("a risk class, milder than reviewed: exit 2, nothing is written", async () => {
    const root = await reviewedWorkspace();
    setInEntry(root, ["tools", 4, "riskClass"], "write");
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("risk class changed since the review");
  });

  test("pins that a person typed to match: review.evidence_mismatch", async () => {
    const root = await reviewedWorkspace();
    build(root, serverScript({ surfaces: described }));
    const pins = pinsOfTool(described[0]?.tools.find(({ name }) => name === "add_note") ?? {});
    const modern = pinsOfTool(described[1]?.tools.find(({ name }) => name === "add_note") ?? {});
    setInEntry(root, ["tools", 2, "pins"], {
      inputSchema: pins.inputSchema,
      description: pins.description,
      definition: { "2025-11-25": pins.definition, "2026-07-28": modern.definition },
    });
    const { code, codes } = await refusedWholly(root, RENEW);
    expect([code, codes]).toEqual([78, ["review.evidence_mismatch"]]);
  });

  test("a changed description is written with a review, raw surface too", async () => {
    const root = await reviewedWorkspace();
    build(root, serverScript({ surfaces: described }));
    const { code, err } = await run(root, REVIEW, later);
    expect([code, err]).toEqual([0, ""]);
    const surface = textAt(root, "registry/evidence/notes/review/surface-2025-11-25.jsonl");
    expect(surface).toContain("adds a note and mails it");
    expect(objectAt(root, ENTRY)["review"]).toMatchObject({ reviewedAt: at(LATER) });
  });

  test("a tool that the entry does not know is for a person to class: exit 2", async () => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWith((surface) => ({
      ...surface,
      tools: [...surface.tools, { name: "SERVER TEXT", inputSchema: { type: "object" } }],
    }));
    build(root, serverScript({ surfaces }));
    const { code, message } = await refusedWholly(root, REVIEW);
    expect(code).toBe(2);
    expect(message).toContain("<unprintable name, sha256 ");
  });

  test("a tool listed twice: surface.duplicate_tool", async () => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWith((surface) => ({
      ...surface,
      tools: [...surface.tools, ...surface.tools.slice(0, 1)],
    }));
    build(root, serverScript({ surfaces }));
    const { code, codes } = await refusedWholly(root, REVIEW);
    expect([code, codes]).toEqual([78, ["surface.duplicate_tool"]]);
  });

  test("a tool's annotations that contradict its class: surface.annotation_mismatch", async () => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWithTool("ship_note", (tool) => ({
      ...tool,
      annotations: { readOnlyHint: true },
    }));
    build(root, serverScript({ surfaces }));
    const { code, codes } = await refusedWholly(root, REVIEW);
    expect(code).toBe(78);
    expect(new Set(codes)).toEqual(new Set(["surface.annotation_mismatch"]));
  });
});

describe("a reviewer", () => {
  test("from the owner's team does not pass for a publish class: review.not_independent", async () => {
    const root = await reviewedWorkspace();
    const argv = REVIEW.map((word) => (word === "eve-security" ? "notes-team" : word));
    const { code, codes } = await refusedWholly(root, argv);
    expect([code, codes]).toEqual([78, ["review.not_independent"]]);
  });

  test.each([
    ["without --review is nothing by itself", ["--reviewer", "eve-security"], "add --review"],
    ["must be named", ["--review"], "--reviewer TEAM"],
    ["must be a team's id", ["--review", "--reviewer", "Eve Security"], "team's id"],
  ])("%s: exit 2", async (_title, flags, message) => {
    const result = await refusedWholly(await reviewedWorkspace(), [...RENEW, ...flags]);
    expect(result.code).toBe(2);
    expect(result.message).toContain(message);
  });

  test("reviews one entry at a time: exit 2", async () => {
    const argv = ["renew", "--all", "--review", "--reviewer", "eve-security", "--reason", "All"];
    const { code, message } = await refusedWholly(await reviewedWorkspace(), argv);
    expect(code).toBe(2);
    expect(message).toContain("one entry at a time");
  });
});

// These are texts of suites that are evaluated here: one that leaves a test out proves nothing.
describe("an evaluation that does not pass: exit 2, nothing is written", () => {
  test.each([
    ["a failing test", 'test("fails", () => { expect(1).toBe(2); });'],
    ["no test", ""],
    [
      "a skipped test beside a passing one",
      'test("holds", () => {}); test.skip("later", () => {});',
    ],
    ["a test to do beside a passing one", 'test("holds", () => {}); test.todo("later");'],
    ["a file that throws beside a passing one", 'test("holds", () => {}); throw new Error("x");'],
  ])("%s", async (_title, tests) => {
    const root = await reviewedWorkspace();
    suite(root, tests);
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("the evaluation failed or skipped tests");
  });

  test("a folder that is not there", async () => {
    const root = await reviewedWorkspace();
    const manifest = objectAt(root, "apps/notes/package.json");
    const eve = { surface: "build/surface-server.js", evaluation: ["checks", "gone"] };
    put(root, "apps/notes/package.json", JSON.stringify({ ...manifest, eve }));
    build(root);
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("the evaluation failed");
  });

  test("an app that names no suite", async () => {
    const root = await reviewedWorkspace();
    const manifest = objectAt(root, "apps/notes/package.json");
    const eve = { surface: "build/surface-server.js", evaluation: [] };
    put(root, "apps/notes/package.json", JSON.stringify({ ...manifest, eve }));
    build(root);
    const { code, message } = await refusedWholly(root, RENEW);
    expect(code).toBe(2);
    expect(message).toContain("names no evaluation");
  });

  test("the suite is told where the renewed registry lies", async () => {
    const root = await reviewedWorkspace();
    suite(
      root,
      `import { readFileSync } from "node:fs";
       test("reads it", () => {
         const folder = process.env.EVE_TEST_REGISTRY_DIR;
         const entry = JSON.parse(readFileSync(folder + "/integrations/notes.json", "utf8"));
         expect(entry.health.observedAt).toBe(${JSON.stringify(at(LATER))});
       });`,
    );
    expect((await run(root, RENEW, later)).code).toBe(0);
  });
});

describe("a program that does not run: nothing is written", () => {
  test.each([
    [
      "a program that ends at once: surface.unavailable",
      serverScript({ first: "process.exit(78);" }),
    ],
    [
      "a program that serves something else: surface.description_drift",
      serverScript({
        surfaces: surfacesWithTool("get_note", (tool) => ({ ...tool, description: "SERVER TEXT" })),
      }),
    ],
  ])("%s", async (title, program) => {
    const root = await reviewedWorkspace();
    build(root, program, serverScript());
    const { code, codes } = await refusedWholly(root, RENEW);
    expect(code).toBe(78);
    expect(codes).toContain(title.split(": ")[1]);
  });

  test.each([
    ["ends at once: surface.unavailable", serverScript({ first: "process.exit(1);" })],
    [
      "lists no tool: surface.empty",
      serverScript({ surfaces: surfacesWith((one) => ({ ...one, tools: [] })) }),
    ],
  ])("a surface program that %s", async (title, surface) => {
    const root = await reviewedWorkspace();
    build(root, serverScript(), surface);
    const { code, codes } = await refusedWholly(root, REVIEW);
    expect([code, codes]).toEqual([78, [title.split(": ")[1]]]);
  });
});

describe("--if-stale", () => {
  const IF_STALE = ["renew", "--all", "--if-stale", "--reason", "Nightly"] as const;

  test("writes nothing where all is fresh", async () => {
    const root = await reviewedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const { code, out } = await run(root, IF_STALE, later);
    expect(code).toBe(0);
    expect(out).toContain("notes: nothing is stale");
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });

  test("is not misled by the order of an entry's members", async () => {
    const root = await reviewedWorkspace();
    const { source, ...rest } = objectAt(root, ENTRY);
    const turned = Object.fromEntries(Object.entries(source ?? {}).toReversed());
    put(root, ENTRY, JSON.stringify({ ...rest, source: turned }));
    const { json } = await runJson(root, IF_STALE, later);
    expect(json["renewed"]).toEqual([]);
  });

  test.each([
    ["health has expired", () => undefined, NOW + 30 * DAY_MS],
    [
      "the source changed",
      (root: string) => {
        editSource(root);
        build(root, `// rebuilt\n${serverScript()}`);
      },
      LATER,
    ],
    [
      "a byte of the evidence changed",
      (root: string) => put(root, "registry/evidence/notes/health/report.json", "{}"),
      LATER,
    ],
  ])("renews where %s", async (_title, change, now) => {
    const root = await reviewedWorkspace();
    change(root);
    const { json } = await runJson(root, IF_STALE, { now: () => now });
    expect(json).toMatchObject({ ok: true, renewed: ["notes"], sequence: 3 });
  });
});

describe("the reason", () => {
  test.each([
    ["is needed: exit 2", []],
    ["may not be empty: exit 2", ["--reason", ""]],
    ["may hold no invisible character: exit 2", ["--reason", "Fine\u202e"]],
    ["may not be longer than evidence can hold: exit 2", ["--reason", "x".repeat(501)]],
  ])("%s", async (_title, flags) => {
    const { code, message } = await refusedWholly(await reviewedWorkspace(), [
      "renew",
      "notes",
      ...flags,
    ]);
    expect(code).toBe(2);
    expect(message).toContain("--reason TEXT");
  });

  test("is asked for on a terminal, and kept", async () => {
    const root = await reviewedWorkspace();
    const asked: string[] = [];
    const ask = (question: string): Promise<string> => {
      asked.push(question);
      return Promise.resolve("Asked and answered");
    };
    expect((await run(root, ["renew", "notes"], { ...later, ask })).code).toBe(0);
    expect(asked).toEqual(["Why is this renewed? "]);
    expect(textAt(root, "registry/evidence/notes/health/report.json")).toContain(
      '"reason": "Asked and answered"',
    );
  });

  test("is not asked for where it was given", async () => {
    const argv = [...RENEW, "--if-stale"];
    const never = { ...later, ask: () => Promise.reject(new Error("asked")) };
    expect((await run(await reviewedWorkspace(), argv, never)).code).toBe(0);
  });
});

describe("which entries", () => {
  test.each([
    ["neither an id nor --all: exit 2", ["renew", "--reason", "x1"]],
    ["both: exit 2", ["renew", "notes", "--all", "--reason", "x1"]],
  ])("%s", async (_title, argv) => {
    const { code, message } = await refusedWholly(await reviewedWorkspace(), argv);
    expect([code, message]).toEqual([2, "Name one entry, or --all."]);
  });

  test("an id that is not there: exit 2, with the ids there are", async () => {
    const argv = ["renew", "nots", "--reason", "Typo"];
    const { code, message } = await refusedWholly(await reviewedWorkspace(), argv);
    expect(code).toBe(2);
    expect(message).toContain("It has: notes.");
  });
});

describe("what was written meanwhile", () => {
  test("by a person is not overwritten: exit 2", async () => {
    const root = await reviewedWorkspace();
    const progress = (line: string): void => {
      if (line.startsWith("evaluating")) setInEntry(root, ["owner", "contact"], "new@eve.example");
    };
    const { code, json } = await runJson(root, RENEW, { ...later, progress });
    expect(code).toBe(2);
    expect(json.error?.message).toContain("changed while it was renewed");
    expect(objectAt(root, ENTRY)["owner"]).toMatchObject({ contact: "new@eve.example" });
    expect(objectAt(root, "registry/registry.json")["sequence"]).toBe(2);
  });
});

describe("what no client should be handed is not renewed into a pin, whoever reviews it", () => {
  test.each<[string, JsonObject]>([
    ["ST-13 surface.text_unsafe", { description: "Ships a note.\u{e0069}\u{e0067}" }],
    ["SS-10 schema.remote_ref", { inputSchema: { type: "object", $ref: "http://127.0.0.1:9/a" } }],
    ["SM-07 surface.icon_unsafe", { icons: [{ src: "javascript:alert(1)" }] }],
    ["SM-07 surface.link_unsafe", { _meta: { homeUrl: "javascript:alert(1)" } }],
  ])("%s", async (title, members) => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWithTool("ship_note", (tool) => ({ ...tool, ...members }));
    build(root, serverScript(), serverScript({ surfaces }));
    const { code, codes } = await refusedWholly(root, REVIEW);
    expect([code, new Set(codes)]).toEqual([78, new Set([title.split(" ")[1]])]);
  });
});
