import type { Outcome } from "./database.ts";

// Certainly not done. SQLSTATE: lock not available, statement cancelled, serialization failure, deadlock, resources,
// cannot connect now; and what Node says where no connection was made.
const NOT_DONE = /^(?:55P03|57014|40001|40P01|53\d{3}|57P03|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/;
const NO_CONNECTION: readonly string[] = [
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
];

/**
 * Answers `service.unavailable` where the database certainly did nothing: no connection, or a lock or statement that ran
 * out of time and was rolled back. A connection that broke on the way rejects: then nobody knows, and nobody here tries
 * again.
 */
export async function available<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (isNotDone(error)) return { ok: false, code: "service.unavailable" };
    throw error;
  }
}

function isNotDone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isNotDone);
  return (
    ("code" in error && typeof error.code === "string" && NOT_DONE.test(error.code)) ||
    NO_CONNECTION.includes(error.message)
  );
}
