import { cpSync, mkdtempSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import { bytesOf, NOW } from "@eve/test-kit";
import { type Lie, protectedScript } from "./protected-script.ts";
import {
  DRAFT,
  FIRST_REVIEW,
  MANIFEST,
  protectedWorkspace,
  rebuild,
} from "./protected-workspace.ts";
import { codesOf, run, runJson } from "./run.ts";
import { digestsOf, newFolder, objectAt, put, removeFolders, textAt } from "./scratch.ts";

afterEach(removeFolders);

const LIVE = ["verify", "--live"] as const;

let first: Promise<{ readonly root: string; readonly port: number }> | undefined;

/** A copy of a workspace whose entry was reviewed by the program itself. */
async function reviewed(): Promise<{ readonly root: string; readonly port: number }> {
  first ??= reviewOnce();
  const { root, port } = await first;
  const copy = newFolder();
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return { root: copy, port };
}

async function reviewOnce(): Promise<{ readonly root: string; readonly port: number }> {
  const { root, port } = await protectedWorkspace();
  const { code, err } = await run(root, FIRST_REVIEW);
  if (code !== 0) throw new Error(err);
  const kept = mkdtempSync(join(inject("runFolder"), "reviewed-"));
  cpSync(root, kept, { recursive: true, verbatimSymlinks: true });
  return { root: kept, port };
}

/** Holds a port for as long as `use` runs. */
async function holding<T>(port: number, use: () => Promise<T>): Promise<T> {
  const holder: Server = createServer();
  await new Promise<void>((resolve) => holder.listen(port, "127.0.0.1", resolve));
  try {
    return await use();
  } finally {
    await new Promise((resolve) => holder.close(resolve));
  }
}

async function isFree(port: number): Promise<boolean> {
  return holding(port, () => Promise.resolve(true)).catch(() => false);
}

describe("an entry as its owner wrote it", () => {
  test("is measured without a review, and nothing is written", async () => {
    const { root, port } = await protectedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const { code, json } = await runJson(root, ["measure", "echo"]);
    expect(code).toBe(0);
    expect(json["changed"]).toEqual(["source", "tools", "surface"]);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
    expect(await isFree(port)).toBe(true);
  });

  test("is renewed only with a review: registry.field_missing", async () => {
    const { root } = await protectedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const refused = await runJson(root, ["renew", "echo", "--reason", "Not reviewed"]);
    expect(refused.code).toBe(78);
    expect(new Set(codesOf(refused))).toEqual(new Set(["registry.field_missing"]));
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });

  test("gets pins, evidence and dates from its first review, and then stands", async () => {
    const { root, port } = await reviewed();
    const entry = objectAt(root, DRAFT);
    expect(Object.keys(entry).slice(10, 13)).toEqual(["tools", "surface", "credentials"]);
    expect(textAt(root, DRAFT)).not.toContain("0".repeat(64));
    expect(entry).toMatchObject({
      source: { version: "1.2.0" },
      health: { status: "healthy" },
      evaluation: { status: "passed" },
      review: { reviewer: "eve-security" },
    });
    const health: { readonly checks: readonly object[] } = JSON.parse(
      textAt(root, "registry/evidence/echo/health/report.json"),
    );
    expect(health.checks).toEqual(
      [
        "1 of 1 tools served and admitted in 2025-11-25",
        "1 of 1 tools served and admitted in 2026-07-28",
        "the metadata of the resource name it, its issuer and its scopes",
        "a call without a token is refused with 401, naming the metadata",
        "a token for another audience is refused on the wire",
        "the official client lists and calls echo_note in 2025-11-25",
        "the official client lists and calls echo_note in 2026-07-28",
      ].map((title) => ({ title, passed: true })),
    );
    const { code, out } = await run(root, LIVE);
    expect(out).toContain("✓ echo: fresh, and served as pinned");
    expect(code).toBe(0);
    expect((await runJson(root, ["measure", "echo"])).json["changed"]).toEqual([]);
    expect(await isFree(port)).toBe(true);
  });

  test("leaves no token and no key in the registry or in what is told", async () => {
    const { root } = await protectedWorkspace();
    const { out, err, progress } = await run(root, FIRST_REVIEW);
    const written = Object.keys(digestsOf(join(root, "registry"))).map((path) =>
      textAt(root, join("registry", path)),
    );
    expect(written.length).toBeGreaterThan(5);
    for (const text of [out, err, ...progress, ...written]) expect(text).not.toMatch(/eyJ|Bearer /);
  });
});

describe("a port that something else holds", () => {
  test.each([
    ["measure", ["measure", "echo"]],
    ["renew", ["renew", "echo", "--reason", "Nightly"]],
    ["verify --live", LIVE],
  ])("%s names the port and what to do, and writes nothing: exit 2", async (_title, argv) => {
    const { root, port } = await reviewed();
    const before = digestsOf(join(root, "registry"));
    const { code, json } = await holding(port, () => runJson(root, argv));
    expect(code).toBe(2);
    expect(json.error?.message).toContain(`127.0.0.1:${port} cannot be used`);
    expect(json.error?.message).toContain(`stop what holds port ${port}, then try again`);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });
});

describe("a program that is not as reviewed: nothing is written, and nothing is left running", () => {
  test.each<[Lie, string, string]>([
    ["takes every token", "health.unhealthy", "another audience"],
    ["challenges without metadata", "health.unhealthy", "naming the metadata"],
    ["has the metadata of another resource", "health.unhealthy", "the metadata of the resource"],
    ["answers something else", "health.unhealthy", "the official client lists and calls"],
    ["takes no token", "surface.unavailable", ""],
  ])("one that %s: %s", async (lie, code, check) => {
    const { root, port } = await protectedWorkspace(protectedScript(lie));
    const before = digestsOf(join(root, "registry"));
    const refused = await runJson(root, FIRST_REVIEW);
    expect(refused.code).toBe(78);
    expect(codesOf(refused)).toContain(code);
    expect(JSON.stringify(refused.json.refusals)).toContain(check);
    expect(JSON.stringify(refused.json)).not.toMatch(/eyJ|SERVER TEXT/);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
    expect(await isFree(port)).toBe(true);
  });

  test("one that shows another description is not renewed without a review: exit 2", async () => {
    const { root } = await reviewed();
    rebuild(root, protectedScript("shows another description"));
    const { code, json } = await runJson(root, ["renew", "echo", "--reason", "Nightly"]);
    expect(code).toBe(2);
    expect(json.error?.message).toContain("the surface changed since the review");
  });

  test("one that was built anew is stale, and not run: artifact.changed", async () => {
    const { root } = await reviewed();
    rebuild(root, protectedScript("ends at once"));
    const refused = await runJson(root, LIVE);
    expect([refused.code, codesOf(refused)]).toEqual([78, ["artifact.changed"]]);
  });

  test("one that ends before it listens is told with its exit code and its last line: exit 2", async () => {
    const { root } = await protectedWorkspace(protectedScript("ends at once"));
    const { code, json } = await runJson(root, ["measure", "echo"]);
    expect(code).toBe(2);
    expect(json.error?.message).toBe(
      "echo: the program ended before it listened (exit 3). It said: notes: no configuration today",
    );
  });

  // Only Linux shows every process as a file.
  test.runIf(process.platform === "linux")("what it started ends with it", async () => {
    const { root, port } = await protectedWorkspace(protectedScript("leaves a process behind"));
    expect((await run(root, ["measure", "echo"])).code).toBe(0);
    expect(await commandsNaming(`http://127.0.0.1:${port}/mcp`)).toEqual([]);
  });
});

/** The program's package.json with another statement. */
function manifestWith(protectedHttp: JsonObject): Uint8Array {
  return bytesOf({ ...MANIFEST, eve: { ...MANIFEST.eve, protectedHttp } });
}

describe("how the program says that it is run", () => {
  test.each<[string, JsonObject]>([
    [
      "no variable for its keys",
      { ...MANIFEST.eve.protectedHttp, environment: { resource: "A", issuer: "B" } },
    ],
    ["no call", { environment: MANIFEST.eve.protectedHttp.environment }],
  ])("with %s is refused with the form it should have: exit 2", async (_title, stated) => {
    const { root } = await protectedWorkspace();
    put(root, "apps/echo/package.json", manifestWith(stated));
    rebuild(root, protectedScript());
    const { code, json } = await runJson(root, ["measure", "echo"]);
    expect(code).toBe(2);
    expect(json.error?.message).toContain('expected "protectedHttp"');
  });

  test("with a call that the entry does not class as read is not probed: exit 2", async () => {
    const { root } = await protectedWorkspace();
    const tools = [{ name: "echo_note", riskClass: "write", permissions: ["notes:read"] }];
    put(root, DRAFT, bytesOf({ ...objectAt(root, DRAFT), riskClass: "write", tools }));
    const { code, json } = await runJson(root, FIRST_REVIEW);
    expect(code).toBe(2);
    expect(json.error?.message).toContain("only a tool of class read");
  });
});

describe("a server that is deployed elsewhere", () => {
  test("is not run from here: exit 2", async () => {
    const { root } = await protectedWorkspace();
    const origin = "https://echo.eve.example";
    const scopes = ["notes:read"];
    const moved = {
      ...objectAt(root, DRAFT),
      deployment: "production",
      transport: { type: "streamable-http", url: `${origin}/mcp` },
      destinations: [{ origin, dataClasses: ["note"] }],
      credentials: [{ id: "echo-token", env: "ECHO_TOKEN", scopes, destinations: [origin] }],
    };
    put(root, DRAFT, bytesOf(moved));
    const { code, json } = await runJson(root, ["measure", "echo"]);
    expect(code).toBe(2);
    expect(json.error?.message).toContain("echo does not listen on this machine");
  });
});

describe("config of a server that is reached by URL", () => {
  test.each([
    ["claude-code", 'Bearer ${ECHO_TOKEN}"'],
    ["vscode", 'Bearer ${input:ECHO_TOKEN}"'],
    ["cursor", 'Bearer ${env:ECHO_TOKEN}"'],
    ["codex", 'bearer_token_env_var = "ECHO_TOKEN"'],
  ])("for %s names the URL, and the token by reference", async (client, reference) => {
    const { root, port } = await reviewed();
    const { code, out } = await run(root, ["config", "echo", "--client", client]);
    expect(code).toBe(0);
    expect(out).toContain(`"http://127.0.0.1:${port}/mcp"`);
    expect(out).toContain(reference);
  });
});

test("status tells of an entry that is reached by URL as of any other", async () => {
  const { root } = await reviewed();
  const { code, out } = await run(root, ["status"], { now: () => NOW + 1000 });
  expect(code).toBe(0);
  expect(out).toContain("✓ echo: local-reference, active; days left: health 29");
});

/** Command lines of this machine's processes that name something. */
async function commandsNaming(text: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  expect(lines.length).toBeGreaterThan(0);
  return lines.filter((line) => line.includes(text));
}
