import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../src/vitest.ts";
import { query } from "./query.ts";

describe("a test file's database", () => {
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    [one, other] = await Promise.all([createDatabase(), createDatabase()]);
  });
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  it("is migrated, and open to the service as far as the migration granted", async () => {
    expect(await query(one.url, "select id from item")).toEqual([{ id: 1 }]);
    await expect(query(one.url, "delete from item")).rejects.toMatchObject({ code: "42501" });
  });

  it("belongs to the owner, who is no superuser, like the service", async () => {
    await query(one.ownerUrl, "alter table item add column note text");
    for (const url of [one.url, one.ownerUrl])
      expect(
        await query(
          url,
          "select rolsuper, rolbypassrls from pg_roles where rolname = current_user",
        ),
      ).toEqual([{ rolsuper: false, rolbypassrls: false }]);
  });

  it("shares no row with another file's", async () => {
    await query(one.ownerUrl, "insert into item values (2)");
    expect(await query(other.ownerUrl, "select id from item")).toEqual([{ id: 1 }]);
  });

  it("is gone once dropped, open connections or not", async () => {
    const third = await createDatabase();
    await third.drop();
    await expect(query(third.url, "select 1")).rejects.toMatchObject({ code: "3D000" });
  });
});
