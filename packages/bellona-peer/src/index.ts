export {
  type Grant,
  MAX_LIFETIME_SECONDS,
  type SignatureAlgorithm,
  type TokenTerms,
  type Verified,
  verifyAccessToken,
} from "./access-token.ts";
export { type BellonaOptions, buildBellona } from "./bellona.ts";
export { BellonaError, type BellonaErrorCode } from "./errors.ts";
export { httpKeyFetcher, type KeyFetcher, parseKeySet } from "./key-source.ts";
export { metadataOf, type ResourceMetadata } from "./metadata.ts";
export { BELLONA_PING } from "./ping.ts";
export type { RateLimits } from "./rate-limits.ts";
export type { RefusedCode } from "./refused.ts";
export { parseResource, type ProtectedResource } from "./resource.ts";
export { READ_SCOPE } from "./scopes.ts";
export { type ServedBellona, serve } from "./serve.ts";
