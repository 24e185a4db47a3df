import { BellonaError } from "./errors.ts";

/** A protected resource: its identifier, and where its metadata are (RFC 9728). */
export interface ProtectedResource {
  /** The resource identifier, exactly as clients and tokens must spell it. */
  readonly identifier: string;
  readonly origin: string;
  /** What the Host header must be, byte for byte. */
  readonly host: string;
  /** Where the resource itself is served, such as `/mcp`. */
  readonly path: string;
  /** Where its metadata are: the well-known part before the path (RFC 9728, 3.1). */
  readonly metadataPath: string;
  readonly metadataUrl: string;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]"]);
/** Nothing that a router or another parser could read as another path. */
const PATH = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

/**
 * Parses a resource identifier: an https URL, or http on literal loopback, with a plain path and neither query nor
 * fragment, spelled as `new URL(x).href` spells it. Throws {@link BellonaError} `config.resource_invalid`.
 */
export function parseResource(identifier: string): ProtectedResource {
  if (!isIdentifier(identifier))
    throw new BellonaError(
      "config.resource_invalid",
      "The resource is no canonical https URL (or http URL of literal loopback) with a plain path.",
    );
  const { origin, host, pathname } = new URL(identifier);
  const metadataPath = `${WELL_KNOWN}${pathname}`;
  return {
    identifier,
    origin,
    host,
    path: pathname,
    metadataPath,
    metadataUrl: `${origin}${metadataPath}`,
  };
}

function isIdentifier(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, origin, pathname, protocol, hostname } = new URL(text);
  const isSecure = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  return isSecure && href === text && `${origin}${pathname}` === text && PATH.test(pathname);
}

/** Whether an authorization server's identifier may be trusted at all: RFC 8414, 2, and http on literal loopback. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isSecure = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  return isSecure && `${username}${password}` === "" && !/[?#\s]/.test(text);
}
