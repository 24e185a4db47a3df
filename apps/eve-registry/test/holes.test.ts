import { join } from "node:path";
import { DAY_MS, NOW } from "@eve/test-kit";
import { afterEach, describe, expect, test } from "vitest";
import { codesOf, runJson } from "./run.ts";
import {
  adoptBuild,
  build,
  digestsOf,
  put,
  removeFolders,
  reviewedWorkspace,
  textAt,
} from "./scratch.ts";
import { serverScript, surfacesWithTool } from "./server-script.ts";

/** Holes that were found in systems of this kind; each title is one. None is here. */

afterEach(removeFolders);

const later = { now: () => NOW + DAY_MS };

describe("hole: the baseline is overwritten by the very scan that reports the change", () => {
  test("whatever looks at a changed server leaves what was reviewed, and finds the same again", async () => {
    const surfaces = surfacesWithTool("get_note", (tool) => ({ ...tool, title: "Other" }));
    const root = await reviewedWorkspace();
    build(root, serverScript({ surfaces }), serverScript({ surfaces }));
    adoptBuild(root);
    const before = digestsOf(join(root, "registry"));
    const scan = async (): Promise<unknown> => [
      (await runJson(root, ["measure", "notes"])).json["changed"],
      (await runJson(root, ["diff", "notes"])).json["versions"],
      codesOf(await runJson(root, ["verify", "--live"], later)),
    ];
    const first = await scan();
    expect(first).toMatchObject([
      ["tools"],
      [{ changes: [{ field: "/tools/get_note/title", after: "Other" }] }, {}],
      ["surface.definition_drift", "surface.definition_drift"],
    ]);
    expect(await scan()).toEqual(first);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });
});

describe("hole: an unreadable baseline is treated as none, and none as trusted", () => {
  test.each([
    ["no lines", () => ""],
    ["half a line", (text: string) => text.slice(0, 100)],
    [
      "another description",
      (text: string) => text.replace('"description":"', '"description":"Other. '),
    ],
    ["a name twice", (text: string) => `${text}{"a":1,"a":2}\n`],
  ])("a reviewed surface of %s is not compared with", async (_, change) => {
    const root = await reviewedWorkspace();
    const kept = "registry/evidence/notes/review/surface-2025-11-25.jsonl";
    put(root, kept, change(textAt(root, kept)));
    expect(codesOf(await runJson(root, ["verify"], later))).toContain("review.evidence_mismatch");
    const { code, json } = await runJson(root, ["diff", "notes"], later);
    expect(code).toBe(2);
    expect(json.error?.message).toContain("surface-2025-11-25.jsonl");
  });
});
