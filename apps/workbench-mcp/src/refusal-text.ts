import { CATALOGUE, type Refusals, publicRefusal } from "@eve/registry-schema";
import type { RequestId } from "./opening-request.ts";

/** The one JSON line of a refusal at start, for programs that read stderr. */
export function refusalLine(integration: string, refusals: Refusals): string {
  return `${JSON.stringify({ event: "eve.refused", integration, code: refusals[0].code, refusals })}\n`;
}

/** The same refusal for people. */
export function refusalProse(integration: string, refusals: Refusals): string {
  const causes = refusals.map(
    ({ code, title, subject, expected, actual, remedy }) =>
      `  ${code}: ${title}.\n    ${subject}: expected ${expected}; found ${actual}.\n    ${remedy}\n`,
  );
  return `${integration} is refused and serves nothing.\n${causes.join("")}`;
}

/** The one JSON-RPC line that tells a client why, for clients show neither stderr nor exit codes. */
export function refusalAnswer(id: RequestId, refusals: Refusals): string {
  const data = publicRefusal(refusals[0]);
  const message = `${data.code}: ${data.title}. ${data.remedy}`;
  return `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: CATALOGUE[data.code].jsonRpc, message, data } })}\n`;
}
