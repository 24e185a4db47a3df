import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepSecret, writeSecret } from "../src/services/secret-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eve-secret-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("writeSecret", () => {
  // Windows has no permission bits to look at.
  it.skipIf(process.platform === "win32")("makes a file that its owner alone may read", () => {
    const file = writeSecret(join(folder, "a"), "secret");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe("secret");
  });

  it("never writes over a file that is there", () => {
    const file = writeSecret(join(folder, "a"), "first");
    expect(() => writeSecret(file, "second")).toThrow(/EEXIST/);
    expect(readFileSync(file, "utf8")).toBe("first");
  });
});

describe("keepSecret", () => {
  it("makes a secret once, and then answers the same", () => {
    const file = join(folder, "key");
    const first = keepSecret(file, () => Buffer.from("made"));
    expect(Buffer.from(keepSecret(file, () => Buffer.from("again")))).toEqual(Buffer.from(first));
  });

  it("tells of a folder that is not there", () => {
    expect(() => keepSecret(join(folder, "no", "key"), () => Buffer.from(""))).toThrow(/ENOENT/);
  });
});
