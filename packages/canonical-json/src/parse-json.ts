import { decodeUtf8 } from "./decode-utf8.ts";
import { type JsonFault, faultAt } from "./json-fault.ts";
import type { JsonValue } from "./json-value.ts";
import { MAX_DEPTH } from "./max-depth.ts";
import { scanDocument } from "./scan-document.ts";
import type { Scan } from "./scan.ts";
import { skim, type SkimRules } from "./skim.ts";

/** How much one document may be. */
export interface JsonLimits {
  /** Bytes of the whole document; 8 MiB where not said. */
  readonly maxBytes: number;
  /** Arrays and objects inside each other; 64 where not said, and never more than 1024. */
  readonly maxDepth: number;
  /** Values of the whole document, containers too; no bound of their own where not said. */
  readonly maxValues: number;
}

/**
 * `wire`: what RFC 8259 and I-JSON (RFC 7493) let two programs read alike. `registry` refuses also negative zero,
 * U+0000 in strings and the names `constructor` and `prototype`.
 */
export type JsonProfile = "wire" | "registry";

/** What {@link parseJson} may be told; the wire profile and the default limits where it is not. */
export interface JsonOptions {
  readonly limits?: Partial<JsonLimits>;
  readonly profile?: JsonProfile;
}

/** The value that the bytes spell, or the first fault in them. */
export type JsonResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault };

const DEFAULT_LIMITS: JsonLimits = {
  maxBytes: 8 * 1024 * 1024,
  maxDepth: 64,
  maxValues: Infinity,
};

/**
 * Parses one JSON document from its bytes (RFC 8259, RFC 7493) and never throws. What it accepts, every conforming
 * parser reads as the same value: UTF-8 without a byte order mark, each name once in its object (compared after
 * unescaping), no `__proto__`, no number that a double changes, no lone surrogate, nothing after the document.
 */
export function parseJson(bytes: Uint8Array, options: JsonOptions = {}): JsonResult {
  const maxBytes = options.limits?.maxBytes ?? DEFAULT_LIMITS.maxBytes;
  if (!(bytes.length <= maxBytes)) {
    return refuse(faultAt("too_large", bytes, 0, `A document has at most ${maxBytes} bytes.`));
  }
  const own = unshared(bytes);
  const decoded = decodeUtf8(own);
  return decoded.ok
    ? parseText(own, decoded.text, options)
    : refuse(faultAt("unparseable", own, decoded.validBytes, "A document is valid UTF-8."));
}

function parseText(bytes: Uint8Array, text: string, options: JsonOptions): JsonResult {
  const rules: SkimRules = {
    maxDepth: Math.min(options.limits?.maxDepth ?? DEFAULT_LIMITS.maxDepth, MAX_DEPTH),
    maxValues: options.limits?.maxValues ?? DEFAULT_LIMITS.maxValues,
    registry: options.profile === "registry",
  };
  const skimmed = skim(bytes, rules) ? nativeValue(text) : undefined;
  return skimmed === undefined ? scanText(bytes, text, rules) : { ok: true, value: skimmed };
}

/** What the native parser reads; undefined where the text is no JSON. */
function nativeValue(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Judges a text token by token: slower than a skim, but it knows every rule and tells the first fault. */
function scanText(bytes: Uint8Array, text: string, rules: SkimRules): JsonResult {
  const scan: Scan = {
    bytes,
    text,
    ...rules,
    shift: 0,
    values: 0,
    escaped: false,
    fault: undefined,
  };
  scanDocument(scan);
  if (scan.fault !== undefined) {
    return refuse(faultAt(scan.fault.code, bytes, scan.fault.offset, scan.fault.reason));
  }
  // The scan refused all that the native parser would settle in silence: repeated names, `__proto__`, lost digits.
  const value: JsonValue = JSON.parse(text);
  return { ok: true, value };
}

/** Bytes that no other thread can change between the scan and the parse. */
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? new Uint8Array(bytes) : bytes;
}

function refuse(fault: JsonFault): JsonResult {
  return { ok: false, fault };
}
