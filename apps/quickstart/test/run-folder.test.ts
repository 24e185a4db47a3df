import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeRunFolder, takeRunFolder } from "../src/run-folder.ts";

describe("makeRunFolder", () => {
  // Windows has no permission bits to look at.
  it.skipIf(process.platform === "win32")("makes a folder for this user alone", () => {
    const { path, remove } = makeRunFolder(tmpdir());
    expect(statSync(path).mode & 0o077).toBe(0);
    remove();
  });

  it("removes its folder with all in it, once or twice", () => {
    const { path, remove } = makeRunFolder(tmpdir());
    mkdirSync(join(path, "deep"));
    writeFileSync(join(path, "deep", "file"), "");
    remove();
    remove();
    expect(existsSync(path)).toBe(false);
  });
});

describe("takeRunFolder", () => {
  const parent = makeRunFolder(tmpdir());
  afterAll(parent.remove);

  it("empties the folder, holds it while this process lives, and gives it up by removing it", () => {
    const path = join(parent.path, "state", "quickstart");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "left"), "by a run that was killed");
    const taken = takeRunFolder(path);
    expect(existsSync(join(path, "left"))).toBe(false);
    expect(readFileSync(join(path, "pid"), "utf8")).toBe(String(process.pid));
    expect(takeRunFolder(path)).toBeUndefined();
    taken?.remove();
    expect(existsSync(path)).toBe(false);
  });

  it("takes the folder of a run that has ended", () => {
    const path = join(parent.path, "ended");
    mkdirSync(path);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(join(path, "pid"), String(pid));
    expect(takeRunFolder(path)?.path).toBeDefined();
  });

  it("answers nothing where the folder cannot be", () => {
    const file = join(parent.path, "file");
    writeFileSync(file, "");
    expect(takeRunFolder(file)).toBeUndefined();
  });
});
