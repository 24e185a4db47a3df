import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { refusedCodes } from "./program/program-io.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function run(
  argv: readonly string[],
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], DATABASE_URL: "postgres://u:CANARY@h/d" };
    execFile(
      process.execPath,
      ["--conditions=@eve/source", MAIN, ...argv],
      { env },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe("main", () => {
  test("takes its settings from the environment and its registry from the folder of the program: exit 78", async () => {
    const { code, stdout, stderr } = await run(["serve"]);
    expect([code, stdout]).toEqual([78, ""]);
    expect(refusedCodes(stderr)).toEqual([
      "configuration.missing",
      "configuration.missing",
      "registry.missing",
    ]);
    expect(stderr).not.toContain("CANARY");
  });

  test("tells its settings", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of [
      "DATABASE_URL",
      "DATABASE_OWNER_URL",
      "DATABASE_SEALER_URL",
      "EVE_BFF_KEY_FILE",
      "EVE_BFF_LISTEN",
      "EVE_BFF_PUBLIC_ORIGIN",
      "EVE_BFF_AUDIT_CHECKPOINTS",
      "EVE_BFF_AUDIT_PUBLIC_KEY",
      "EVE_BFF_AUDIT_KEY_FILE",
    ])
      expect(stdout).toContain(name);
  });
});
