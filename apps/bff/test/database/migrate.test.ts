import { createDatabase, type TestDatabase } from "@eve/local-postgres/vitest";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseError, migrate } from "../../src/database/database.ts";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { open } from "./store.ts";

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await open(database.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

async function migrated(): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string }>(
    "select name from bff.kysely_migration order by name",
  );
  return rows.map(({ name }) => name);
}

test("migrates an empty database once, by however many migrators at once", async () => {
  await owner.query("drop schema bff cascade");
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.ownerUrl)));
  expect(await migrated()).toEqual(Object.keys(MIGRATIONS));
});

test("finds nothing to do in a migrated database", async () => {
  const before = await owner.query("select name, timestamp from bff.kysely_migration");
  await migrate(database.ownerUrl);
  const after = await owner.query("select name, timestamp from bff.kysely_migration");
  expect(after.rows).toEqual(before.rows);
});

test("keeps nothing of a migration that fails, and says which and why: database.migration_failed", async () => {
  await owner.query("drop schema bff cascade");
  await owner.query("create schema bff");
  await owner.query("create table bff.registries (another int)");
  const failure = await migrate(database.ownerUrl).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseError);
  expect(failure).toMatchObject({
    code: "database.migration_failed",
    message: expect.stringContaining("0006-registry-memory failed"),
    cause: { code: "42P07" },
  });
  const { rows } = await owner.query(
    "select tablename from pg_tables where schemaname = 'bff' order by 1",
  );
  expect(rows).toEqual([{ tablename: "registries" }]);
  await owner.query("drop schema bff cascade");
  await migrate(database.ownerUrl);
});

test("will not be run by the service's role: database.migration_failed", async () => {
  await owner.query("drop schema bff cascade");
  await expect(migrate(database.url)).rejects.toMatchObject({ code: "database.migration_failed" });
});
