import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MeasuringError, observeArtifact } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "eve-artifact-"));
afterAll(() => rmSync(folder, { recursive: true }));

function codeOf(file: string): string {
  try {
    observeArtifact(join(folder, file), "dist/main.js");
    return "measured";
  } catch (error) {
    return error instanceof MeasuringError ? error.code : "another error";
  }
}

describe("an artifact", () => {
  it("is the SHA-256 of the file's bytes, under the path the entry names", () => {
    writeFileSync(join(folder, "main.js"), "abc");
    expect(observeArtifact(join(folder, "main.js"), "dist/main.js")).toEqual({
      path: "dist/main.js",
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
  });

  it("that is absent cannot be measured: artifact.unreadable", () => {
    expect(codeOf("absent.js")).toBe("artifact.unreadable");
  });

  it("that is a symlink is not followed: artifact.unreadable", () => {
    writeFileSync(join(folder, "target.js"), "abc");
    symlinkSync(join(folder, "target.js"), join(folder, "link.js"));
    expect(codeOf("link.js")).toBe("artifact.unreadable");
  });

  it("that is a folder is none: artifact.not_regular", () => {
    expect(codeOf(".")).toBe("artifact.not_regular");
  });
});
