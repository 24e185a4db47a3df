import type { Sha256 } from "@eve/canonical-json";
import { isSha256 } from "@eve/canonical-json";
import {
  type Instant,
  isDestination,
  isReadable,
  isToolName,
  parseInstant,
} from "@eve/registry-schema";
import * as z from "zod";

const CONSENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Whether a value has the one form of a consent id: a random UUID (RFC 9562 version 4) in lower case, without braces.
 * Any other value, a list or an object among them, names no consent and must not reach a look-up.
 */
export function isConsentId(value: unknown): value is string {
  return typeof value === "string" && CONSENT_ID.test(value);
}

/** See {@link isConsentId}. */
export const consentId: z.ZodString = z.string().regex(CONSENT_ID);

/** Who acts, or for whom: text that people can read whole, at most 256 UTF-16 code units. */
export const name: z.ZodString = z.string().min(1).max(256).refine(isReadable);

/** Lower-case id of an entry or of a data class. */
export const id: z.ZodString = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

/** A tool's name as the contract allows it. */
export const toolName: z.ZodString = z.string().refine(isToolName);

/** A work item's id as the workbench mints it. */
export const itemId: z.ZodString = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

/** An origin, byte for byte. */
export const origin: z.ZodString = z.string().refine(isDestination);

/** A SHA-256 digest in lower-case hex. */
export const digest: z.ZodCustom<Sha256, Sha256> = z.custom<Sha256>(
  (value) => typeof value === "string" && isSha256(value),
);

/** A UTC instant on a date that exists. */
export const instant: z.ZodCustom<Instant, Instant> = z.custom<Instant>(
  (value) => typeof value === "string" && parseInstant(value) !== undefined,
);

/** Text that a person or a model wrote: well-formed, without NUL, as PostgreSQL can store it. */
export function text(max: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes("\u0000"));
}
