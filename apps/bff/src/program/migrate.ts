import { migrate } from "../database/database.ts";
import type { Io } from "./io.ts";
import { refuse } from "./refuse.ts";
import { databaseUrl } from "./settings.ts";

/** Brings the database to this program's schema, as its owner. Two at once are safe. */
export async function runMigrations(io: Io): Promise<number> {
  const url = databaseUrl(io.env, "DATABASE_OWNER_URL");
  if ("refusal" in url) return refuse([url.refusal], io);
  await migrate(url.value);
  io.stdout(`${JSON.stringify({ event: "bff.migrated" })}\n`);
  return 0;
}
