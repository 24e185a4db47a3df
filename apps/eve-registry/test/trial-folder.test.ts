import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { parseRegistry } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import { at, NOW, valueAt, withValue } from "@eve/test-kit";
import { datedNow, makeTrialFolder } from "../src/trial-folder.ts";
import {
  ENTRY,
  newFolder,
  objectAt,
  removeFolders,
  reviewedWorkspace,
  textAt,
  unreviewedWorkspace,
} from "./scratch.ts";

afterEach(removeFolders);

/** Long after the workspace's own dates. */
const TODAY = Date.UTC(2031, 1, 28, 12);
const workspaceOf = (root: string): Parameters<typeof makeTrialFolder>[0] => ({
  registry: join(root, "registry"),
  root,
});

describe("a trial folder", () => {
  test("holds the program as built and a registry that admits it today", async () => {
    const root = await reviewedWorkspace();
    const folder = newFolder();
    const trial = makeTrialFolder(workspaceOf(root), "notes", folder, TODAY);
    expect(trial).toMatchObject({
      program: join(folder, "main.js"),
      registry: join(folder, "registry.json"),
    });
    expect(textAt(folder, "main.js")).toBe(textAt(root, "apps/notes/dist/main.js"));
    const parsed = parseRegistry(readFileSync(trial.registry));
    expect(parsed.ok && judgeGovernance(parsed.registry, "notes", TODAY)).toEqual([]);
  });

  test("takes an entry that nobody has reviewed yet, and leaves its pins", () => {
    const root = unreviewedWorkspace();
    const { entry } = makeTrialFolder(workspaceOf(root), "notes", newFolder(), TODAY);
    expect(entry["surface"]).toEqual(objectAt(root, ENTRY)["surface"]);
  });

  test("has the digest of the present build, and of the program as changed", async () => {
    const root = await reviewedWorkspace();
    const trial = makeTrialFolder(workspaceOf(root), "notes", newFolder(), TODAY, {
      program: (bytes) => Buffer.concat([bytes, Buffer.from("// changed\n")]),
    });
    expect(readFileSync(trial.program, "utf8")).toMatch(/\/\/ changed\n$/);
    expect(valueAt(trial.entry, ["source", "artifacts"])).toEqual([
      { path: "dist/main.js", sha256: sha256(readFileSync(trial.program)) },
    ]);
  });

  test("has the entry and the manifest as changed", async () => {
    const root = await reviewedWorkspace();
    const { registry } = makeTrialFolder(workspaceOf(root), "notes", newFolder(), TODAY, {
      entry: (entry) => withValue(entry, ["lifecycle", "state"], "revoked"),
      manifest: (manifest) => withValue(manifest, ["sequence"], 9),
    });
    const parsed = parseRegistry(readFileSync(registry));
    expect(parsed.ok && parsed.registry.sequence).toBe(9);
    expect(parsed.ok && judgeGovernance(parsed.registry, "notes", TODAY)).toMatchObject([
      { code: "lifecycle.revoked" },
    ]);
  });

  test.each([
    ["an entry that is not there", "other", () => undefined, /No entry "other"/],
    [
      "a registry that is refused",
      "notes",
      (root: string) => appendFileSync(join(root, ENTRY), "x"),
      /registry\.unparseable: integrations\/notes\.json/,
    ],
    [
      "a program that was never built",
      "notes",
      (root: string) => rmSync(join(root, "apps/notes/dist"), { recursive: true }),
      /Run npm run build/,
    ],
  ])("is not made of %s", async (_title, id, change, message) => {
    const root = await reviewedWorkspace();
    change(root);
    expect(() => makeTrialFolder(workspaceOf(root), id, newFolder(), TODAY)).toThrow(message);
  });
});

test("an entry dated now has the full windows and is otherwise the same", () => {
  const entry = objectAt(unreviewedWorkspace(), ENTRY);
  const dated = datedNow(entry, NOW);
  expect(dated).toMatchObject({
    health: { observedAt: at(NOW), expiresAt: "2026-12-31T12:00:00Z" },
    review: { expiresAt: "2027-06-01T12:00:00Z" },
  });
  const changed = Object.keys(entry).filter(
    (key) => JSON.stringify(entry[key]) !== JSON.stringify(dated[key]),
  );
  expect(changed).toEqual(["lifecycle", "health", "evaluation", "review"]);
});
