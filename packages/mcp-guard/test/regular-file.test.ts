import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
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

/** Swaps a file and a link at one path for as long as it runs, each time by one rename. */
const SWAPPER = `
const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
const { parentPort, workerData: { place, secret } } = require("node:worker_threads");
parentPort.once("message", () => process.exit());
const swap = () => {
  for (let i = 0; i < 100; i++) {
    writeFileSync(place + ".new", "bytes"); renameSync(place + ".new", place);
    symlinkSync(secret, place + ".link"); renameSync(place + ".link", place);
  }
  parentPort.postMessage("swapped");
  setImmediate(swap);
};
swap();`;

test("a file that turns into a link between a look and the read gives nothing of the link's (RP-05)", async () => {
  writeFileSync(at("secret"), "secret");
  const workerData = { place: at("place"), secret: at("secret") };
  const swapper = new Worker(SWAPPER, { eval: true, workerData });
  await new Promise((resolve) => swapper.once("message", resolve));
  const seen = new Set<string>();
  for (let i = 0; i < 5000; i++) {
    const result = readRegularFileSync(at("place"));
    seen.add("bytes" in result ? Buffer.from(result.bytes).toString("utf8") : result.fault);
  }
  await swapper.terminate();
  expect([...seen].toSorted()).toEqual(["bytes", "unreadable"]);
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
