import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const VITEST = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const CONSUMER = join(import.meta.dirname, "consumer", "vitest.config.ts");

async function run(env: Readonly<Record<string, string>>): Promise<{ code: unknown; out: string }> {
  const child = spawn(process.execPath, [VITEST, "run", "--config", CONSUMER], {
    env: { ...process.env, NO_COLOR: "1", EVE_TEST_DATABASE_URL: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, out: out + err };
}

it("a run of another package prints its provider once", async () => {
  const { code, out } = await run({ EVE_TEST_POSTGRES: "embedded" });
  expect(out.match(/^postgres: .*$/gm)).toEqual([
    expect.stringMatching(/^postgres: provider=embedded version=18\.\d+ ready_ms=\d+$/),
  ]);
  expect(code).toBe(0);
});

it("a run whose pinned provider fails fails: provider.unavailable", async () => {
  const { code, out } = await run({
    EVE_TEST_POSTGRES: "testcontainers",
    DOCKER_HOST: "unix:///nowhere/docker.sock",
  });
  expect(out).toContain("(provider.unavailable)");
  expect(code).toBe(1);
});

it("a run whose named server does not answer fails", async () => {
  const url = "postgresql://nobody@127.0.0.1:1/none";
  const { code, out } = await run({ EVE_TEST_POSTGRES: "url", EVE_TEST_DATABASE_URL: url });
  expect(out).toContain("ECONNREFUSED");
  expect(code).toBe(1);
});
