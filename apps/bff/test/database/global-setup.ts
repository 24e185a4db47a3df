import { postgresSetup } from "@eve/local-postgres/vitest";
import { migrate } from "../../src/database/database.ts";

/** One PostgreSQL for the run, with the schema of the source as it is. */
export default postgresSetup({ migrate });
