/** The code of an outcome, or `ok`. */
export function codeOf(outcome: { ok: true } | { ok: false; code: string }): string {
  return outcome.ok ? "ok" : outcome.code;
}

/** The SQLSTATE a statement is refused with, or `done`. */
export async function sqlStateOf(statement: Promise<unknown>): Promise<string> {
  try {
    await statement;
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
