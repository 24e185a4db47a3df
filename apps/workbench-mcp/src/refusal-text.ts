import { CATALOGUE, type Refusals, publicRefusal } from "@eve/registry-schema";
import type { RequestId } from "./opening-request.ts";

/** Causes that are told; the first decides the code. */
const MAX_TOLD = 64;

/** The one JSON line of a refusal at start, for programs that read stderr. */
export function refusalLine(integration: string, refusals: Refusals): string {
  const told = refusals.slice(0, MAX_TOLD);
  const more = refusals.length - told.length;
  return `${JSON.stringify({ event: "eve.refused", integration, code: refusals[0].code, refusals: told, ...(more > 0 && { more }) })}\n`;
}

/** The same refusal for people. */
export function refusalProse(integration: string, refusals: Refusals): string {
  const more = refusals.length - MAX_TOLD;
  const causes = refusals
    .slice(0, MAX_TOLD)
    .map(
      ({ code, title, subject, expected, actual, remedy }) =>
        `  ${code}: ${title}.\n    ${subject}: expected ${expected}; found ${actual}.\n    ${remedy}\n`,
    );
  const rest = more > 0 ? `  and ${more} more causes.\n` : "";
  return `${integration} is refused and serves nothing.\n${causes.join("")}${rest}`;
}

/** The one JSON-RPC line that tells a client why, for clients show neither stderr nor exit codes. */
export function refusalAnswer(id: RequestId, refusals: Refusals): string {
  const data = publicRefusal(refusals[0]);
  const message = `${data.code}: ${data.title}. ${data.remedy}`;
  return `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: CATALOGUE[data.code].jsonRpc, message, data } })}\n`;
}
