import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRunFolder } from "../src/run-folder.ts";

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
