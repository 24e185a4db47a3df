import type { FastifyRequest } from "fastify";
import type { RefusedCode } from "./refused.ts";
import { valuesOf } from "./raw-headers.ts";
import type { ProtectedResource } from "./resource.ts";

/**
 * Why a request is refused whoever sends it, if it is: its Host is not the resource's, byte for byte, or its Origin is
 * present and not allowed (MUST-RS-12; a page that rebinds a name to this address sends its own). A header twice is
 * as bad as a wrong one.
 */
export function strangerCode(
  { raw: { rawHeaders } }: FastifyRequest,
  { host }: ProtectedResource,
  allowedOrigins: readonly string[],
): RefusedCode | undefined {
  const hosts = valuesOf(rawHeaders, "host");
  if (hosts.length !== 1 || hosts[0] !== host) return "request.host_refused";
  const origins = valuesOf(rawHeaders, "origin");
  const [origin] = origins;
  if (origin === undefined) return undefined;
  return origins.length === 1 && allowedOrigins.includes(origin)
    ? undefined
    : "request.origin_refused";
}

/** Whether the request's path is exactly `path`, before any decoding or normalisation; a query does not count. */
export function isAtPath({ raw: { url } }: FastifyRequest, path: string): boolean {
  return url?.split("?", 1)[0] === path;
}

/** Why a body is not read, if it is not: it is no `application/json`, or it is encoded (MUST-RS: bounds hold on what is read). */
export function bodyCode({ headers }: FastifyRequest): RefusedCode | undefined {
  const type = headers["content-type"] ?? "";
  const isJson = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i.test(type);
  return isJson && headers["content-encoding"] === undefined
    ? undefined
    : "request.unsupported_media_type";
}
