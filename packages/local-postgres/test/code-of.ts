import { LocalPostgresError } from "../src/index.ts";

/** The code that work was refused with; rethrows what is no fault of ours, and fails where nothing was refused. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof LocalPostgresError) return error.code;
    throw error;
  }
  throw new Error("nothing was refused");
}
