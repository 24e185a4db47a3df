import { isDestination } from "@eve/registry-schema";
import type { HttpPeer } from "./http-exchange.ts";
import { type HttpSession, openHttpSession } from "./http-session.ts";
import { refuserFor } from "./observation-refusal.ts";
import { type ObservedSurface, observeThrough, type SurfaceRequest } from "./read-surface.ts";

/** A server that is reached over Streamable HTTP. */
export interface HttpServer {
  /** Its exact address, byte for byte: https, or http to literal loopback; no credentials, no fragment. */
  readonly url: string;
  /** What posts; the platform's own where it is not said. It must not follow redirects when told `manual`. */
  readonly fetch?: typeof fetch;
  /** What every request carries, such as `authorization`. Never shown in a refusal. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Observes the surface of a Streamable HTTP server as `observeSurface` does on streams, in either era, with the same
 * codes, from the raw bytes of its JSON bodies and event streams. No redirect is followed, nothing but `url` is asked,
 * and no authorization is sought: a 401 is `surface.unavailable`. A list change is seen only where a response tells
 * it. Never rejects.
 */
export async function observeHttpServer(
  server: HttpServer,
  request: SurfaceRequest,
): Promise<ObservedSurface> {
  const { url, headers = {}, fetch: fetchLike = globalThis.fetch } = server;
  if (!isExactUrl(url))
    return refuserFor(request.integration)("surface.unavailable", {
      subject: "connection",
      expected: "an https URL, or http to literal loopback, byte for byte",
      actual: "another address",
    });
  const peer: HttpPeer = { url, headers, fetch: fetchLike };
  let session: HttpSession | undefined;
  const observed = await observeThrough(
    request,
    (terms) => (session = openHttpSession(peer, request.protocolVersion, terms)),
  );
  await session?.gone();
  return observed;
}

/** Whether a URL is written exactly as it is used: https, or http to literal loopback; no credentials, no fragment. */
export function isExactUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { href, origin, username, password } = new URL(url);
  return (
    href === url && isDestination(origin) && `${username}${password}` === "" && !url.includes("#")
  );
}
