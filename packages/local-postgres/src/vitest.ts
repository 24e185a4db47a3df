import type { TestProject } from "vitest/node";
import {
  createRoles,
  createTestDatabase,
  type NamedDatabase,
  serverVersion,
  type TestDatabase,
  type TestServer,
} from "./test-databases.ts";
import { startProvider, type TestProvider } from "./test-provider.ts";

export type { TestDatabase } from "./test-databases.ts";

declare module "vitest" {
  export interface ProvidedContext {
    evePostgres: TestServer;
  }
}

/** What a run of tests needs of its database. */
export interface PostgresSetup {
  /** Brings an empty database to the current schema, connected as its owner. */
  migrate(ownerUrl: string): Promise<void>;
}

/**
 * A `globalSetup` for vitest: one PostgreSQL a run, by the ladder of {@link startProvider}, and one migrated database
 * that {@link createDatabase} copies. Prints once which provider and version it is. Use: a file with
 * `export default postgresSetup({ migrate })`, named in `test.globalSetup`.
 */
export function postgresSetup(
  setup: PostgresSetup,
): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const begun = performance.now();
    const provider = await startProvider(process.env, (line) => console.warn(line));
    try {
      const { template, version } = await prepare(provider, setup);
      const ms = Math.round(performance.now() - begun);
      console.log(`postgres: provider=${provider.name} version=${version} ready_ms=${ms}`);
      project.provide("evePostgres", { adminUrl: provider.adminUrl, template: template.name });
      return async () => {
        // A server that outlives the run keeps nothing of it.
        if (provider.name === "url") await template.drop();
        await provider.stop();
      };
    } catch (error) {
      await provider.stop();
      throw error;
    }
  };
}

async function prepare(
  { adminUrl }: TestProvider,
  setup: PostgresSetup,
): Promise<{ readonly template: NamedDatabase; readonly version: string }> {
  await createRoles(adminUrl);
  const template = await createTestDatabase(adminUrl);
  await setup.migrate(template.ownerUrl);
  return { template, version: await serverVersion(adminUrl) };
}

/** A database of the calling test file's own, migrated. Needs {@link postgresSetup} in the run. */
export async function createDatabase(): Promise<TestDatabase> {
  const { inject } = await import("vitest");
  const { adminUrl, template } = inject("evePostgres");
  return createTestDatabase(adminUrl, template);
}
