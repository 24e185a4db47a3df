import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { writeFiles } from "../src/write-files.ts";
import { digestsOf, newFolder, put, removeFolders, textAt } from "./scratch.ts";

let folder = "";
beforeEach(() => {
  folder = newFolder();
  put(folder, "a", "old a");
  put(folder, "b", "old b");
  chmodSync(dirname(folder), 0o711);
  chmodSync(folder, 0o777);
});
afterEach(removeFolders);

const plan = (...paths: readonly string[]): Parameters<typeof writeFiles>[0] =>
  paths.map((path) => ({ path: join(folder, path), bytes: `new ${path}` }));

/** Root may write anywhere: acts as a user who may not. */
function withoutRoot(act: () => void): void {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    act();
  } finally {
    process.seteuid?.(0);
  }
}

describe("writing files", () => {
  test("replaces them, makes folders, and leaves nothing else", () => {
    writeFiles(plan("a", "deep/er/c"));
    expect(digestsOf(folder)).toEqual({
      a: sha256("new a"),
      b: sha256("old b"),
      "deep/er/c": sha256("new deep/er/c"),
    });
  });

  test("replaces a link and not what it points to", () => {
    symlinkSync(join(folder, "b"), join(folder, "link"));
    writeFiles(plan("link"));
    expect([textAt(folder, "b"), textAt(folder, "link")]).toEqual(["old b", "new link"]);
  });

  test.each([
    ["a file in the place of the last one's folder", () => "b/c"],
    ["a name too long to write beside", () => "n".repeat(250)],
    [
      "a folder in the place of the last file",
      () => {
        mkdirSync(join(folder, "taken"));
        return "taken";
      },
    ],
    [
      "a folder that this user may not write to",
      () => {
        mkdirSync(join(folder, "locked"), { mode: 0o555 });
        return "locked/c";
      },
    ],
  ])("writes none of them where there is %s", (_title, last) => {
    const path = last();
    const before = digestsOf(folder);
    expect(() => withoutRoot(() => writeFiles(plan("a", "b", path)))).toThrow(
      /^(ENOTDIR|ENAMETOOLONG|ENOENT|EACCES)|there is a folder in the place of a file/,
    );
    expect(digestsOf(folder)).toEqual(before);
  });

  test("writes nothing where nothing is planned", () => {
    const before = digestsOf(folder);
    writeFiles([]);
    expect(digestsOf(folder)).toEqual(before);
  });
});
