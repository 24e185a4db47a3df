import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  type Sha256,
} from "@eve/canonical-json";
import type { Instant } from "@eve/registry-schema";
import * as z from "zod";
import { ConsentError } from "./errors.ts";
import { consentId, digest, id, instant, name, toolName } from "./fields.ts";
import { parsePreview } from "./preview.ts";

/** Everything one approval is about. Its bytes are written once, and one changed leaf gives another digest. */
export interface ConsentBinding {
  readonly version: 1;
  /** A random UUID in lower case. */
  readonly consentId: string;
  /** When the request stops to wait for a decision. */
  readonly expiresAt: Instant;
  readonly actor: string;
  readonly tenant: string;
  readonly integration: string;
  readonly tool: string;
  /** The tool's pins, as the entry holds them. */
  readonly toolPins: JsonObject;
  /** The entry without what may change while a program runs. */
  readonly entryDigest: Sha256;
  /** The arguments without `consentId`, which is no part of the call that is approved. */
  readonly arguments: JsonObject;
  /** The impact that is displayed; `parsePreview` reads it. */
  readonly preview: JsonObject;
}

const jsonObject = z.custom<JsonObject>(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only ever asked about parsed JSON
  (value) => isJsonObject(value as JsonValue | undefined),
);

const binding: z.ZodType<ConsentBinding> = z.strictObject({
  version: z.literal(1),
  consentId,
  expiresAt: instant,
  actor: name,
  tenant: name,
  integration: id,
  tool: toolName,
  toolPins: jsonObject,
  entryDigest: digest,
  arguments: jsonObject.refine((value) => !Object.hasOwn(value, "consentId")),
  preview: jsonObject.refine((value) => parsePreview(value) !== undefined),
});

/**
 * How much of a stored binding is read. A request's body is held to less, but its canonical form may be longer (1e20
 * has 21 digits) and nests deeper by one, so that whatever was encoded can be decoded.
 */
const LIMITS = { maxBytes: 64 * 1024 * 1024, maxDepth: 128 };

/**
 * The bytes of a binding (RFC 8785, UTF-8): what is stored, digested and never changed. Throws ConsentError
 * `binding.invalid` for fields that {@link decodeBinding} would not read back (among them an integer whose digits no
 * double holds, such as 2e16 + 1), and CanonicalJsonError for what JSON cannot carry: check a call's arguments before.
 */
export function encodeBinding(fields: ConsentBinding): Uint8Array {
  // Spelled out: the canonical form sorts names, and a member the type does not know must fail rather than vanish.
  const bytes = new TextEncoder().encode(canonicalJson({ ...fields }));
  if (!decodeBinding(bytes)) {
    throw new ConsentError("binding.invalid", "a binding needs each field in its exact form.");
  }
  return bytes;
}

/**
 * Reads the bytes of a binding. `undefined` for anything that `encodeBinding` did not write: another spelling of the
 * same JSON, an unknown or missing member, another version, arguments with a `consentId`, a preview that cannot be shown.
 */
export function decodeBinding(bytes: Uint8Array): ConsentBinding | undefined {
  const json = parseJson(bytes, { limits: LIMITS });
  if (!json.ok || !equalBytes(new TextEncoder().encode(canonicalJson(json.value)), bytes)) {
    return undefined;
  }
  const parsed = binding.safeParse(json.value);
  return parsed.success ? parsed.data : undefined;
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
