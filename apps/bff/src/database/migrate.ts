import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { DatabaseError } from "./errors.ts";
import { MIGRATIONS } from "./migrations/index.ts";

const LOCK = "eve/bff/migrate/1";

/**
 * Brings the database to this release's schema, as the owner of `ownerUrl`: forward only, all or nothing. Two at once
 * are safe, the second waits and finds nothing to do. Rejects with DatabaseError `database.migration_failed`.
 */
export async function migrate(ownerUrl: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: ownerUrl, max: 1 }) }),
  });
  const failed: { name: string; error: unknown }[] = [];
  try {
    await db.transaction().execute(async (trx) => {
      // Before anything is looked at; it ends with the transaction, so a pooler cannot leak it.
      await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(trx);
      const migrator = new Migrator({
        db: trx,
        provider: { getMigrations: () => Promise.resolve(asMigrations(failed)) },
        migrationTableSchema: "bff",
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
    });
  } catch (error) {
    // What comes after the first fault only says that the transaction is over.
    const [first] = failed;
    throw new DatabaseError(
      "database.migration_failed",
      `The database could not be migrated${first ? `, for ${first.name} failed` : ""}; nothing was changed.`,
      { cause: first?.error ?? error },
    );
  } finally {
    await db.destroy();
  }
}

/** The migrations; one that fails is noted in `failed` first. */
function asMigrations(failed: { name: string; error: unknown }[]): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, text]) => [
      name,
      {
        up: async (db): Promise<void> => {
          try {
            await sql.raw(text).execute(db);
          } catch (error) {
            failed.push({ name, error });
            throw error;
          }
        },
      },
    ]),
  );
}
