import { valuesOf } from "./raw-headers.ts";

/** The bearer a request carries, or why it carries none that is looked at. */
export type Bearer =
  | { readonly ok: true; readonly token: string }
  | {
      readonly ok: false;
      readonly code: "auth.request_invalid" | "auth.token_invalid" | "auth.token_missing";
    };

/** More is no token of ours; the header block itself is bounded too. */
const MAX_TOKEN_LENGTH = 8_192;

/** A JWS in compact form: three parts of base64url. */
const FORM = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;

/**
 * The one bearer of a request (RFC 6750, 2.1): exactly one Authorization header, of one space and one compact JWS. A
 * second header is `auth.request_invalid`; so is a token in the query beside one in the header, since a client uses
 * one method. A token in the query alone is none: `auth.token_missing` (MUST-RS-10).
 */
export function bearerOf(rawHeaders: readonly string[], url: string): Bearer {
  const [header, ...more] = valuesOf(rawHeaders, "authorization");
  if (header === undefined) return { ok: false, code: "auth.token_missing" };
  if (more.length > 0 || hasQueryToken(url)) return { ok: false, code: "auth.request_invalid" };
  const token = FORM.exec(header)?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH
    ? { ok: false, code: "auth.token_invalid" }
    : { ok: true, token };
}

function hasQueryToken(url: string): boolean {
  const query = url.indexOf("?");
  return query !== -1 && new URLSearchParams(url.slice(query)).has("access_token");
}
