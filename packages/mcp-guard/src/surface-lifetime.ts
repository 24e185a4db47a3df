import { isJsonObject, type JsonObject } from "@eve/canonical-json";
import { memberOf, parseRpcLine } from "./json-rpc.ts";
import type { RawAnswer } from "./list-pages.ts";

/** The longest that an observation counts as what a server shows, in ms, whatever the server says. */
export const MAX_LIFETIME_MS = 60_000;

/** The shortest, in ms: SDKs say 0 where nobody chose, and each call would list everything again. */
export const MIN_LIFETIME_MS = 1_000;

/**
 * How long an observation holds, in ms: the least `ttlMs` of its answers (MCP 2026-07-28, caching), within the two
 * bounds; the longest where no answer says one. A `ttlMs` that is no time is the shortest.
 */
export function lifetimeOf(raw: readonly RawAnswer[]): number {
  const said = raw.flatMap(({ bytes }) => {
    const parsed = parseRpcLine(bytes, bytes.length);
    const result = parsed.ok && parsed.message.kind === "result" ? parsed.message.result : {};
    return ttlIn(result);
  });
  return Math.max(MIN_LIFETIME_MS, Math.min(MAX_LIFETIME_MS, ...said));
}

function ttlIn(result: JsonObject): readonly number[] {
  const ttl = isJsonObject(result) ? memberOf(result, "ttlMs") : undefined;
  if (ttl === undefined) return [];
  return [typeof ttl === "number" && ttl >= 0 ? ttl : 0];
}
