import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startLocalPostgres } from "../src/index.ts";
import { isAlive } from "../src/postmaster-file.ts";

const STARTER = join(import.meta.dirname, "programs", "starter.ts");

interface Started {
  readonly parent: ChildProcess;
  readonly pid: number;
  readonly folder: string;
}

async function startedBy(then: "wait" | "return", folder?: string): Promise<Started> {
  const args = [
    "--conditions=@eve/source",
    STARTER,
    then,
    ...(folder === undefined ? [] : [folder]),
  ];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = await once(parent.stdout, "data");
  const [pid, where] = String(line).trim().split(" ");
  return { parent, pid: Number(pid), folder: String(where) };
}

function isGoneSoon(pid: number): Promise<void> {
  return vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000, interval: 20 });
}

const kept = mkdtempSync(join(tmpdir(), "eve-test-"));
beforeAll(async () => {
  const made = await startLocalPostgres({ folder: kept, durable: true, database: "eve" });
  await made.stop();
});
afterAll(() => rmSync(kept, { recursive: true, force: true }));

describe("PostgreSQL ends with the program that started it", () => {
  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("when that gets %s", async (signal) => {
    const { parent, pid } = await startedBy("wait", kept);
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    await isGoneSoon(pid);
  });

  it("when that returns without a stop: nothing keeps it running", async () => {
    const { parent, pid } = await startedBy("return", kept);
    if (parent.exitCode === null) await once(parent, "exit");
    expect(parent.exitCode).toBe(0);
    await isGoneSoon(pid);
  });

  it("and leaves nothing of a temporary database", async () => {
    const { parent, folder } = await startedBy("wait");
    expect(existsSync(folder)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 20_000 });
  });
});

it("a folder can be used again at once when the program that used it was killed", async () => {
  const { parent, pid } = await startedBy("wait", kept);
  parent.kill("SIGKILL");
  const again = await startLocalPostgres({ folder: kept, durable: true, database: "eve" });
  onTestFinished(() => again.stop());
  expect(again.pid).not.toBe(pid);
});
