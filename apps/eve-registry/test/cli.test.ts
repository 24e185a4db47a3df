import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Printed, run, runJson } from "./run.ts";
import { newFolder, put, removeFolders, reviewedWorkspace } from "./scratch.ts";

afterEach(removeFolders);

const COMMANDS = ["assemble", "measure", "verify", "renew", "explain", "doctor"] as const;

describe("help", () => {
  test("lists every command and the exit codes on stdout: exit 0", async () => {
    const { code, out, err } = await run("/", ["--help"]);
    expect([code, err]).toEqual([0, ""]);
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${command} `, "m"));
    expect(out).toContain("Exit codes: 0 well, 2 usage, 70 fault of the program, 78 refused.");
  });

  test.each(COMMANDS)(
    "of %s names the options that every command takes, and no default that is none",
    async (command) => {
      const { code, out } = await run("/", [command, "--help"]);
      expect(code).toBe(0);
      for (const option of ["--json", "--registry <dir>", "--root <dir>"])
        expect(out.split(option)).toHaveLength(2);
      expect(out).not.toMatch(/default: (false|\[\])/);
    },
  );

  test("the version is one line: exit 0", async () => {
    expect(await run("/", ["--version"])).toMatchObject({ code: 0, out: "1.0.0\n", err: "" });
  });

  test("holds no colour", async () => {
    const env = { FORCE_COLOR: "1" };
    const { out } = await run("/", ["renew", "--help"], { env });
    expect(out).not.toContain("\u001b");
  });
});

describe("words that are off: exit 2, nothing on stdout", () => {
  test.each([
    ["an unknown command, with the one that was meant", ["renwe"], "(Did you mean renew?)"],
    [
      "an unknown option, with the one that was meant",
      ["verify", "--lvie"],
      "(Did you mean --live?)",
    ],
    ["a missing argument", ["explain"], "missing required argument 'code'"],
    ["an argument too many", ["doctor", "notes"], "too many arguments"],
    ["an option without its value", ["assemble", "--to"], "argument missing"],
    ["a required option", ["assemble"], "required option '--to <dir>' not specified"],
    ["no command", [], "Usage: eve-registry"],
  ])("%s", async (_title, argv, message) => {
    const { code, out, err } = await run("/", argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  test("no registry from here upwards", async () => {
    const folder = newFolder();
    const { code, err } = await run(folder, ["verify"]);
    expect(code).toBe(2);
    expect(err).toBe(
      `No registry/registry.json in ${folder} or above it. Name the folder: --registry DIR.\n`,
    );
  });
});

describe("--json", () => {
  test.each([
    ["before the command", ["--json", "explain", "health.expired"]],
    ["after the command", ["explain", "--json", "health.expired"]],
    ["at the end", ["explain", "health.expired", "--json"]],
  ])("counts %s", async (_title, argv) => {
    const { code, out, err } = await run("/", argv);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ ok: true, refusals: [], code: "health.expired" });
  });

  test.each([
    ["an unknown command", ["renwe"], "unknown command 'renwe' (Did you mean renew?)"],
    ["no command", [], "Name a command: eve-registry --help lists them."],
    ["a missing argument", ["explain"], "missing required argument 'code'"],
    ["what a command finds off", ["renew"], "Name one entry, or --all."],
  ])("answers one value for %s: exit 2", async (_title, argv, message) => {
    const { code, json } = await runJson("/", argv);
    expect(code).toBe(2);
    expect(json).toEqual({ ok: false, refusals: [], error: { code: "usage", message } });
  });

  test("answers one value for a fault of the program: exit 70", async () => {
    const root = await reviewedWorkspace();
    const { code, json } = await runJson(root, ["assemble", "--to", "pnpm-lock.yaml/dist"]);
    expect(code).toBe(70);
    expect(json).toMatchObject({ ok: false, refusals: [], error: { code: "fault" } });
  });

  test("answers code, place, expectation and remedy of each refusal: exit 78", async () => {
    const folder = newFolder();
    const { code, json, err } = await runJson(folder, ["verify", "--registry", "gone"]);
    expect([code, err]).toEqual([78, ""]);
    expect(json.ok).toBe(false);
    expect(json.refusals).toEqual([
      {
        code: "registry.missing",
        title: expect.any(String),
        integration: null,
        subject: "registry.json",
        expected: "a readable file",
        actual: "missing",
        remedy: expect.stringContaining("eve-registry assemble"),
      },
    ]);
  });

  test("is one line, progress apart", async () => {
    const root = await reviewedWorkspace();
    const { out, progress } = await run(root, ["verify", "--live", "--json"]);
    const value: Printed = JSON.parse(out);
    expect([value.ok, out.split("\n").length, progress.length]).toEqual([true, 2, 1]);
  });
});

describe("where the registry lies", () => {
  test("is found from a folder inside the repository", async () => {
    const root = await reviewedWorkspace();
    for (const folder of ["apps/notes/src", "registry", "registry/evidence/notes"])
      expect(await run(join(root, folder), ["verify"])).toMatchObject({ code: 0, err: "" });
  });

  test("may be named, and its sources' root too, from where it was called", async () => {
    const root = await reviewedWorkspace();
    const folder = newFolder();
    put(folder, "x", "");
    const named = ["--registry", `${root}/registry`, "--root", root];
    expect((await run(folder, [...named, "verify"])).code).toBe(0);
    expect((await run(root, ["verify", "--registry", "registry", "--root", "."])).code).toBe(0);
    expect(
      (await run(folder, ["verify", "--registry", `${root}/registry`, "--root", "."])).code,
    ).toBe(78);
  });

  test("a manifest that is gone is not looked for further up: exit 78", async () => {
    const root = await reviewedWorkspace();
    rmSync(join(root, "registry/registry.json"));
    expect((await run(root, ["verify", "--registry", "registry"])).code).toBe(78);
  });
});
