import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { newFolder, put, removeFolders, reviewedWorkspace } from "./scratch.ts";

afterEach(removeFolders);

const MAIN = join(dirname(fileURLToPath(import.meta.url)), "../src/main.ts");

function start(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const args = ["--conditions=@eve/source", MAIN, ...argv];
  return spawn(process.execPath, args, { cwd, env: { ...env, TMPDIR: cwd }, stdio: "pipe" });
}

describe("the program", () => {
  test.each([
    [0, ["explain", "health.expired"]],
    [2, ["renwe"]],
    [78, ["verify", "--registry", "gone"]],
  ])("exits %i", async (code, argv) => {
    const child = start(newFolder(), argv);
    const [exit] = await once(child, "close");
    expect(exit).toBe(code);
  });

  test("does not ask where there is no terminal: exit 2", async () => {
    const child = start(await reviewedWorkspace(), ["renew", "notes"]);
    const [err, [exit]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(exit).toBe(2);
    expect(err).toBe(
      "Give a reason that people can read, of at most 500 characters: --reason TEXT.\n",
    );
  });

  test.each([
    ["stdout", 0, ["explain", "health.expired"]],
    ["stderr", 78, ["verify", "--registry", "gone"]],
  ] as const)(
    "whose reader has gone away from %s says nothing of it and keeps its exit code",
    async (stream, code, argv) => {
      const child = start(newFolder(), argv);
      child[stream].destroy();
      const other = stream === "stdout" ? child.stderr : child.stdout;
      const [said, [exit]] = await Promise.all([text(other), once(child, "exit")]);
      expect([exit, said]).toEqual([code, ""]);
    },
  );

  test("that is stopped leaves no temporary folder", async () => {
    const root = await reviewedWorkspace();
    put(root, "apps/notes/build/surface-server.js", "setInterval(() => {}, 1000);");
    const child = start(root, ["renew", "notes", "--reason", "Stopped"]);
    await once(child.stderr, "data");
    await expect.poll(() => temporaryFolders(root)).not.toEqual([]);
    child.kill("SIGTERM");
    const [exit] = await once(child, "close");
    expect(exit).toBe(143);
    expect(temporaryFolders(root)).toEqual([]);
  });
});

function temporaryFolders(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith("eve-registry-"));
}
