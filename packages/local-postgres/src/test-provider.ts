import { startContainer } from "./container-provider.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { startLocalPostgres } from "./start-local-postgres.ts";

/** A PostgreSQL for one run of tests. */
export interface TestProvider {
  readonly name: "url" | "testcontainers" | "embedded";
  /** A URL of a role that may create roles and databases. */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** The variables that the ladder reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The ladder: the server named by `EVE_TEST_DATABASE_URL`; a container where Docker answers; the embedded server.
 * `EVE_TEST_POSTGRES` (`url`, `testcontainers`, `embedded`) pins one, and then its failure is the run's. Rejects with
 * `provider.unknown`, `provider.unavailable` and what the provider itself answers.
 */
export async function startProvider(
  env: Environment,
  warn: (line: string) => void,
): Promise<TestProvider> {
  const pin = env["EVE_TEST_POSTGRES"] || undefined;
  if (pin !== undefined) return pinned(pin, env);
  if (env["EVE_TEST_DATABASE_URL"]) return named(env);
  try {
    return await startContainer(env);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    warn(`postgres: no container (${reason?.slice(0, 160)}), so the embedded server`);
    return embedded();
  }
}

async function pinned(pin: string, env: Environment): Promise<TestProvider> {
  if (pin === "url") return named(env);
  if (pin === "testcontainers") return startContainer(env);
  if (pin === "embedded") return embedded();
  throw new LocalPostgresError(
    "provider.unknown",
    `EVE_TEST_POSTGRES is ${pin}: use url, testcontainers or embedded`,
  );
}

function named(env: Environment): TestProvider {
  const adminUrl = env["EVE_TEST_DATABASE_URL"];
  if (adminUrl) return { name: "url", adminUrl, stop: () => Promise.resolve() };
  throw new LocalPostgresError(
    "provider.unavailable",
    "EVE_TEST_POSTGRES=url needs EVE_TEST_DATABASE_URL, with a role that may create roles and databases",
  );
}

async function embedded(): Promise<TestProvider> {
  const server = await startLocalPostgres({ durable: false, database: "eve_test" });
  return { name: "embedded", adminUrl: server.adminUrl, stop: () => server.stop() };
}
