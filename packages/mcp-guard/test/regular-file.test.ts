import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eve-file-"));
  writeFileSync(at("file"), "bytes");
  symlinkSync(at("file"), at("link"));
  writeFileSync(at("large"), "");
  truncateSync(at("large"), 1025);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file gives its bytes", () => {
  expect(readRegularFileSync(at("file"))).toEqual({ bytes: Buffer.from("bytes") });
});

test("a link does so only where links are followed (RP-05)", () => {
  expect(readRegularFileSync(at("link"))).toEqual({ fault: "unreadable" });
  expect(readRegularFileSync(at("link"), { followsLinks: true })).toHaveProperty("bytes");
});

test("no file, a folder and a device say what they are", () => {
  expect(readRegularFileSync(at("none"))).toEqual({ fault: "missing" });
  expect(readRegularFileSync(folder)).toEqual({ fault: "not_regular" });
  expect(readRegularFileSync("/dev/zero")).toEqual({ fault: "not_regular" });
});

test("a file at the bound is read, one byte more is too large", () => {
  expect(readRegularFileSync(at("large"), { maxBytes: 1025 })).toHaveProperty("bytes");
  expect(readRegularFileSync(at("large"), { maxBytes: 1024 })).toEqual({ fault: "too_large" });
});

test("a pipe is refused instead of waiting for its writer", () => {
  execFileSync("mkfifo", [at("pipe")]);
  expect(readRegularFileSync(at("pipe"))).toEqual({ fault: "not_regular" });
});

// Only Linux has /proc, whose files have no size.
test.skipIf(process.platform !== "linux")(
  "a file without a size is read to the bound and no further",
  () => {
    const endless = "/proc/self/pagemap";
    expect(readRegularFileSync(endless, { maxBytes: 1_000_000 })).toEqual({ fault: "too_large" });
  },
);
