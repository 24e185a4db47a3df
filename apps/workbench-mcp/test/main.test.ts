import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const INITIALIZE = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eve-main-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Runs the program from source, which is never admitted: its source has no digest, and Node was given options. */
async function run(input: string, end: boolean): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, ["--conditions=@eve/source", MAIN], {
    env: { PATH: process.env["PATH"], XDG_STATE_HOME: folder, OSHUN_WORKBENCH_TOKEN: "s3cret" },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.write(input);
  if (end) child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr, ms: performance.now() - began };
}

describe("main", () => {
  test("run from source is refused with exit 78 and answers the opening request: runtime.unsafe", async () => {
    const { code, stdout, stderr } = await run(INITIALIZE, false);
    expect(code).toBe(78);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      error: { data: { code: "runtime.unsafe" } },
    });
    expect(JSON.parse(stderr.split("\n")[0] ?? "")).toMatchObject({
      event: "eve.refused",
      integration: "oshun-workbench",
      refusals: [{ code: "runtime.unsafe" }, { code: "registry.missing" }],
    });
    expect(stdout + stderr).not.toContain("s3cret");
  });

  test("leaves the codes for the doctor, readable by this user alone", async () => {
    await run("", true);
    const file = join(folder, "eve", "last-refusal", "oshun-workbench.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      codes: ["runtime.unsafe", "registry.missing"],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("writes nothing to stdout for input that ends", async () => {
    const { code, stdout } = await run("", true);
    expect([code, stdout]).toEqual([78, ""]);
  });

  test("waits 2 s for a client that says nothing", async () => {
    const { code, stdout, ms } = await run("", false);
    expect([code, stdout]).toEqual([78, ""]);
    expect(ms).toBeGreaterThan(2000);
  });
});
