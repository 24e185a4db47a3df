import type { RefusedCode } from "./refused.ts";
import type { ProtectedResource } from "./resource.ts";
import { READ_SCOPE } from "./scopes.ts";

const ERRORS: Partial<Readonly<Record<RefusedCode, string | null>>> = {
  // RFC 6750, 3.1: no error code where no credential was sent.
  "auth.token_missing": null,
  "auth.request_invalid": "invalid_request",
  "auth.token_invalid": "invalid_token",
  "auth.scope_insufficient": "insufficient_scope",
};

/**
 * The WWW-Authenticate challenge of a refusal (RFC 6750, 3; RFC 9728, 5.1), or undefined where a token is not the
 * matter. It names the metadata and all needed scopes, and quotes nothing that was sent.
 */
export function challengeFor(code: RefusedCode, resource: ProtectedResource): string | undefined {
  const error = ERRORS[code];
  if (error === undefined) return undefined;
  const parameters = [
    ...(error === null ? [] : [`error="${error}"`]),
    `scope="${READ_SCOPE}"`,
    `resource_metadata="${resource.metadataUrl}"`,
  ];
  return `Bearer ${parameters.join(", ")}`;
}
