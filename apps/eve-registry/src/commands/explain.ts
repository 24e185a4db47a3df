import { CATALOGUE, isRefusalCode } from "@eve/registry-schema";
import type { Outcome } from "../outcome.ts";
import { UsageError } from "../usage-error.ts";

/** What a refusal code means and what to do about it. */
export function explain(code: string): Outcome {
  if (!isRefusalCode(code))
    throw new UsageError(`No refusal code ${JSON.stringify(code)}.${suggestion(code)}`);
  const { title, remedy, clause, exit, http, jsonRpc } = CATALOGUE[code];
  return {
    lines: [
      code,
      `  ${title}.`,
      `  → ${remedy}`,
      `  Follows: ${clause}`,
      `  Exit ${exit}, HTTP ${http}, JSON-RPC ${jsonRpc}`,
    ],
    json: { code, title, remedy, clause, exit, http, jsonRpc },
    refusals: [],
  };
}

function suggestion(code: string): string {
  const [group] = code.split(".");
  const near = Object.keys(CATALOGUE).filter(
    (known) => known.startsWith(`${group}.`) || known.endsWith(`.${code}`),
  );
  return near.length > 0
    ? ` Did you mean: ${near.join(", ")}?`
    : " docs/refusal-codes.md lists all.";
}
