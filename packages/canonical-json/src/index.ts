export { canonicalJson, type CanonicalObject, canonicalObject } from "./canonical-json.ts";
export { type Sha256, framedDigest, framedTextDigest, isSha256, sha256 } from "./digest.ts";
export { CanonicalJsonError, type CanonicalJsonErrorCode } from "./errors.ts";
export { equalDigests, hmacSha256 } from "./hmac.ts";
export type { JsonFault, JsonFaultCode } from "./json-fault.ts";
export {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "./json-value.ts";
export {
  type JsonLimits,
  type JsonOptions,
  type JsonProfile,
  type JsonResult,
  parseJson,
} from "./parse-json.ts";
