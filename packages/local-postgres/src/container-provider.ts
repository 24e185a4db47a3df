import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { serverVersion } from "./test-databases.ts";
import type { Environment, TestProvider } from "./test-provider.ts";

// A machine with many times more to do than it has cores answers late; one that has no Docker says so at once.
const DOCKER_MS = 30_000;
const START_MS = 180_000;
const ANSWER_MS = 60_000;
const DAY_MS = 86_400_000;
const POLL_MS = 50;
const SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"] as const;

/**
 * Starts PostgreSQL in a container: of the image `EVE_TEST_POSTGRES_IMAGE`, which must be there already and is never
 * pulled, or of `postgres:17-alpine`. Rejects with `provider.unavailable`.
 */
export async function startContainer(env: Environment): Promise<TestProvider> {
  const local = env["EVE_TEST_POSTGRES_IMAGE"] || undefined;
  await requireDocker(env);
  // Its reaper would be pulled from a registry.
  if (local !== undefined) process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  const { PostgreSqlContainer } = await import("@testcontainers/postgresql");
  const { PullPolicy, Wait } = await import("testcontainers");
  const named = new PostgreSqlContainer(local ?? "postgres:17-alpine")
    .withDatabase("eve_test")
    .withUsername("eve_admin")
    // The port is open to more than this machine.
    .withPassword(randomBytes(24).toString("base64url"))
    // The module's own check would start a program in the container four times a second for the whole run.
    .withHealthCheck({ test: ["CMD", "true"], interval: DAY_MS })
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/))
    .withStartupTimeout(START_MS)
    .withLabels({ "eve.test-run": env["EVE_TEST_RUN"] || String(process.pid) })
    .withCommand([
      "postgres",
      ...["max_connections=200", ...SETTINGS].flatMap((setting) => ["-c", setting]),
    ]);
  const container = local === undefined ? named : named.withPullPolicy(PullPolicy.neverPull());
  const started = await container.start().catch((error: unknown) => {
    throw unavailable(`cannot start ${local ?? "postgres:17-alpine"}`, error);
  });
  const stop = async (): Promise<void> => {
    await started.stop();
  };
  const adminUrl = started.getConnectionUri();
  if (await doesAnswer(adminUrl)) return { name: "testcontainers", adminUrl, stop };
  await stop();
  throw unavailable("the container does not answer");
}

/** The stock image is "ready" twice, and takes connections from outside only the second time. */
async function doesAnswer(url: string): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < ANSWER_MS;) {
    const version = await serverVersion(url).catch(() => undefined);
    if (version !== undefined) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function requireDocker(env: Environment): Promise<void> {
  const ask = promisify(execFile);
  const version = ["version", "--format", "{{.Server.Version}}"];
  await ask("docker", version, { timeout: DOCKER_MS, env: { ...env } }).catch((error: unknown) => {
    throw unavailable("Docker does not answer", error);
  });
}

function unavailable(what: string, cause?: unknown): LocalPostgresError {
  const why = cause instanceof Error ? `: ${cause.message.trim().split("\n").at(-1)}` : "";
  return new LocalPostgresError("provider.unavailable", `${what}${why}`, cause);
}
