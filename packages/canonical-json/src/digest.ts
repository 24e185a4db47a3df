import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { CanonicalJsonError } from "./errors.ts";
import type { JsonValue } from "./json-value.ts";

declare const brand: unique symbol;

/** A SHA-256 digest as 64 lower-case hexadecimal digits. */
export type Sha256 = string & { readonly [brand]: "Sha256" };

/** Whether a text is a SHA-256 digest as this package writes them. */
export function isSha256(text: string): text is Sha256 {
  return /^[0-9a-f]{64}$/.test(text);
}

/** SHA-256 (FIPS 180-4) of bytes, or of a text's UTF-8. Throws `string_invalid` on a text with a lone surrogate. */
export function sha256(bytes: Uint8Array | string): Sha256 {
  if (typeof bytes === "string" && !bytes.isWellFormed()) {
    throw new CanonicalJsonError(
      "string_invalid",
      "a text holds a lone surrogate, so it has no UTF-8",
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that gives the brand
  return hash("sha256", bytes, "hex") as Sha256;
}

/**
 * SHA-256(UTF-8(domain) ‖ 0x00 ‖ UTF-8(canonicalJson(value))). Undefined means absent and adds no bytes after the 0x00,
 * so absent, null and "" differ, and no value of one domain has the digest of one in another. Throws
 * {@link CanonicalJsonError}: `domain_invalid`, `string_invalid`, and the codes of `canonicalJson`.
 */
export function framedDigest(domain: string, value: JsonValue | undefined): Sha256 {
  return framedTextDigest(domain, value === undefined ? undefined : canonicalJson(value));
}

/** {@link framedDigest} of a value by its canonical form, which `canonicalJson` or `canonicalObject` has written. */
export function framedTextDigest(domain: string, canonical: string | undefined): Sha256 {
  if (domain === "" || domain.includes("\0")) {
    throw new CanonicalJsonError("domain_invalid", "a digest domain is a text without U+0000");
  }
  return sha256(`${domain}\0${canonical ?? ""}`);
}
