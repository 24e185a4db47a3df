import { postgresSetup } from "../../src/vitest.ts";

/** No schema at all. */
export default postgresSetup({ migrate: () => Promise.resolve() });
