import type { ProtectedResource } from "./resource.ts";
import { READ_SCOPE } from "./scopes.ts";

/** The metadata of a protected resource (RFC 9728, 2). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly [string];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
  readonly resource_name: string;
}

/** What a client reads before it asks for a token: `resource` is byte-equal to the URL it used (RFC 9728, 3.3). */
export function metadataOf(resource: ProtectedResource, issuer: string): ResourceMetadata {
  return {
    resource: resource.identifier,
    authorization_servers: [issuer],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Bellona, Eve's reference peer",
  };
}
