import type { Entry, Refusal, Registry } from "@eve/registry-schema";
import { refusal } from "@eve/registry-schema";
import type { Rung } from "./rung.ts";

/** The refusals of all rungs in order. A rung that throws refuses: nothing is admitted because a check failed to run. */
export function climb<Case>(
  rungs: readonly Rung<Case>[],
  on: Case,
  entry: Entry,
): readonly Refusal[] {
  return rungs.flatMap((rung) => {
    try {
      return rung.judge(on);
    } catch (error) {
      return [internalError(entry.id, rung.name, error)];
    }
  });
}

/** The refusal of a check that failed to run; names the error's class and nothing of its message. Never throws. */
export function internalError(
  integration: string | null,
  subject: string,
  error: unknown,
): Refusal {
  return refusal("internal.error", {
    integration,
    subject,
    expected: "a decision",
    actual: className(error),
  });
}

const KNOWN_ERRORS = ["TypeError", "RangeError", "CanonicalJsonError"];

/** What was thrown may itself be hostile: a getter or a proxy that throws again, a name that is live text. */
function className(error: unknown): string {
  try {
    const name = error instanceof Error ? error.name : "";
    return KNOWN_ERRORS.includes(name) ? name : "an error";
  } catch {
    return "an error";
  }
}

/** The complete entry of an id, or why there is none: the presence and completeness rungs. */
export function findEntry(
  registry: Registry,
  id: string,
): { readonly entry: Entry } | { readonly refusals: readonly Refusal[] } {
  const record = registry.integrations.get(id);
  if (!record)
    return {
      refusals: [
        refusal("entry.absent", {
          integration: null,
          subject: "integrations",
          expected: "an entry of that id",
          actual: "none",
        }),
      ],
    };
  return record.status === "complete" ? { entry: record.entry } : { refusals: record.refusals };
}
