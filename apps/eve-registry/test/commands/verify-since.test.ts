import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { DAY_MS, NOW } from "@eve/test-kit";
import { run, runJson } from "../run.ts";
import { objectAt, put, removeFolders, reviewedWorkspace, setInEntry } from "../scratch.ts";

afterEach(removeFolders);

const later = { now: () => NOW + DAY_MS };
const MANIFEST = "registry/registry.json";

/** A reviewed workspace whose registry is committed. */
async function committedWorkspace(): Promise<string> {
  const root = await reviewedWorkspace();
  git(root, "init", "--quiet");
  commit(root);
  return root;
}

function commit(root: string): void {
  git(root, "add", "registry");
  git(root, "commit", "--quiet", "--message", "registry");
}

function git(root: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=tests", "-c", "user.email=tests@eve.example"];
  execFileSync("git", ["-C", root, ...who, "-c", "commit.gpgsign=false", ...args], {
    stdio: "pipe",
    env: { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
  });
}

function raiseSequence(root: string, by: number): void {
  const manifest = objectAt(root, MANIFEST);
  put(root, MANIFEST, JSON.stringify({ ...manifest, sequence: Number(manifest["sequence"]) + by }));
}

type Verified = Awaited<ReturnType<typeof runJson>>;

const since = (root: string, revision = "HEAD"): Promise<Verified> =>
  runJson(root, ["verify", "--since", revision], later);

/** The codes of the succession alone: a registry that was not built anew is stale besides. */
function successionOf({ json }: Verified): readonly string[] {
  return json.refusals
    .filter(({ code, subject }) => code.endsWith(".not_renewed") || subject === "sequence")
    .map(({ code }) => code);
}

describe("verify --since", () => {
  test("takes a registry that did not change: exit 0", async () => {
    expect(await since(await committedWorkspace())).toMatchObject({ code: 0 });
  });

  test("refuses a change without a higher sequence: registry.rollback", async () => {
    const root = await committedWorkspace();
    setInEntry(root, ["owner", "contact"], "another@eve.example");
    expect(successionOf(await since(root))).toEqual(["registry.rollback"]);
    raiseSequence(root, 1);
    expect(successionOf(await since(root))).toEqual([]);
  });

  test("refuses a lower sequence, exit 78: registry.rollback", async () => {
    const root = await committedWorkspace();
    raiseSequence(root, -1);
    const verified = await since(root);
    expect([verified.code, successionOf(verified)]).toEqual([78, ["registry.rollback"]]);
  });

  test.each([
    ["health", "health.not_renewed"],
    ["evaluation", "evaluation.not_renewed"],
    ["review", "review.not_renewed"],
  ])("RT-17 refuses an expiry of the %s that alone moved, exit 78: %s", async (part, code) => {
    const root = await committedWorkspace();
    setInEntry(root, [part, "expiresAt"], "2026-12-20T00:00:00Z");
    raiseSequence(root, 1);
    const verified = await since(root);
    expect(verified.code).toBe(78);
    expect(new Set(successionOf(verified))).toEqual(new Set([code]));
  });

  test("takes what renew wrote", async () => {
    const root = await committedWorkspace();
    const renewal = await run(root, ["renew", "notes", "--reason", "Due"], later);
    expect(renewal.code).toBe(0);
    expect(successionOf(await since(root))).toEqual([]);
  });

  test("compares with the revision that was named, not with the newest", async () => {
    const root = await committedWorkspace();
    raiseSequence(root, 5);
    commit(root);
    raiseSequence(root, -1);
    expect(successionOf(await since(root, "HEAD"))).toEqual(["registry.rollback"]);
    expect(successionOf(await since(root, "HEAD~1"))).toEqual([]);
  });

  test.each([
    ["a revision that is not there", "no-such-branch"],
    ["an option in a revision's place", "--all"],
    ["nothing", ""],
  ])("answers %s with what is wrong, and never with a pass: exit 2", async (_, revision) => {
    const { code, json } = await runJson(
      await committedWorkspace(),
      ["verify", `--since=${revision}`],
      later,
    );
    expect(code).toBe(2);
    expect(JSON.stringify(json)).toContain("git");
  });

  test("answers a folder outside any repository: exit 2", async () => {
    const { code } = await runJson(await reviewedWorkspace(), ["verify", "--since", "HEAD"], {
      ...later,
      env: { PATH: process.env["PATH"], GIT_DIR: join("/", "elsewhere") },
    });
    expect(code).toBe(2);
  });

  test("answers a revision without a registry: exit 2", async () => {
    const root = await reviewedWorkspace();
    git(root, "init", "--quiet");
    git(root, "commit", "--quiet", "--allow-empty", "--message", "nothing yet");
    const { code, json } = await since(root);
    expect(code).toBe(2);
    expect(JSON.stringify(json)).toContain("registry.json");
  });
});
