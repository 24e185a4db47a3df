import { createDatabase } from "../../src/vitest.ts";
import { expect, it } from "vitest";

it("gets a database", async () => {
  const database = await createDatabase();
  await database.drop();
  expect(new URL(database.url).username).toBe("eve_service");
});
