import { challengeFor } from "./challenge.ts";
import type { ProtectedResource } from "./resource.ts";

/** Why a request is not served. */
export type RefusedCode =
  | "auth.keys_unavailable"
  | "auth.request_invalid"
  | "auth.scope_insufficient"
  | "auth.token_invalid"
  | "auth.token_missing"
  | "request.host_refused"
  | "request.method_not_allowed"
  | "request.not_found"
  | "request.origin_refused"
  | "request.rate_limited"
  | "request.too_large"
  | "request.unsupported_media_type"
  | "service.failed";

interface Row {
  readonly status: number;
  readonly title: string;
}

const ROWS: Readonly<Record<RefusedCode, Row>> = {
  "auth.keys_unavailable": { status: 503, title: "The issuer's keys cannot be read" },
  "auth.request_invalid": { status: 400, title: "The request does not carry exactly one bearer" },
  "auth.scope_insufficient": { status: 403, title: "The token does not grant the needed scope" },
  "auth.token_invalid": { status: 401, title: "The token is not valid here" },
  "auth.token_missing": { status: 401, title: "A bearer token is needed" },
  "request.host_refused": { status: 403, title: "This host is not served here" },
  "request.method_not_allowed": { status: 405, title: "Only POST is served here" },
  "request.not_found": { status: 404, title: "There is nothing here" },
  "request.origin_refused": { status: 403, title: "This origin may not call" },
  "request.rate_limited": { status: 429, title: "Too many requests" },
  "request.too_large": { status: 413, title: "The body is too large" },
  "request.unsupported_media_type": { status: 415, title: "Only plain application/json is read" },
  "service.failed": { status: 500, title: "The request failed here" },
};

/** A refusal as it is sent: `application/problem+json` (RFC 9457). Nothing in it comes from the request. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly type: "about:blank";
    readonly title: string;
    readonly status: number;
    readonly code: RefusedCode;
  };
}

/** The answer to a refused request, with the challenge of RFC 6750 where a token is the matter. */
export function problemOf(code: RefusedCode, resource: ProtectedResource): Problem {
  const { status, title } = ROWS[code];
  const challenge = challengeFor(code, resource);
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(challenge !== undefined && { "www-authenticate": challenge }),
      ...(code === "request.method_not_allowed" && { allow: "POST" }),
      ...(status === 503 && { "retry-after": "5" }),
    },
    body: { type: "about:blank", title, status, code },
  };
}
