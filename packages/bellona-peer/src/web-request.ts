import type { FastifyRequest } from "fastify";
import type { ProtectedResource } from "./resource.ts";

/** Not handed on: what belongs to this hop, and the bearer (MUST-RS-06). */
const KEPT_BACK: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "proxy-authorization",
  "transfer-encoding",
]);

/** The request as the SDK's handler takes it, with its exact body bytes and without its bearer. */
export function webRequestOf(
  { headers }: FastifyRequest,
  resource: ProtectedResource,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || KEPT_BACK.has(name) ? [] : [[name, [value].flat().join(", ")]],
  );
  return new Request(resource.identifier, { method: "POST", headers: kept, body, signal });
}
