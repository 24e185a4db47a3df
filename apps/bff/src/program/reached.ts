import { faultOf } from "./fault.ts";
import { refuse, refuseSetting, type RefusalEdge } from "./refuse.ts";

/** What `work` answers, or exit 78 where the database cannot be reached or its role may not read the chain. */
export async function reached<T>(edge: RefusalEdge, work: () => Promise<T>): Promise<T | number> {
  try {
    return await work();
  } catch (error) {
    if (!isOfDatabase(error)) throw error;
    const expected = "a migrated database, reached as the sealer's role";
    return refuse(
      [refuseSetting("service.unavailable", "DATABASE_SEALER_URL", expected, faultOf(error))],
      edge,
    );
  }
}

// What Node says of a connection, and SQLSTATEs of five characters; files' errors (EEXIST, ENOENT) are none of these.
const DATABASE = /^(?:[0-9A-Z]{5}|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)$/;

function isOfDatabase(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfDatabase);
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? DATABASE.test(code) : /connect|terminated/i.test(error.message);
}
