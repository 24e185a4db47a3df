import * as z from "zod";

/** A work item's id. */
export const itemId: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

/** Who acts or is assigned. */
export const actorId: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}$/);

/** Opaque position in a list. */
export const cursor: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9_-]{1,512}$/);

/** SHA-256 as 64 lower-case hex digits. */
export const sha256Hex: z.ZodType<string> = z.string().regex(/^[0-9a-f]{64}$/);

/** The states an item moves through. */
export const itemState = z.enum([
  "queued",
  "claimed",
  "submitted",
  "shipped",
  "verified",
  "rejected",
]);

/** Where a change is shipped to. */
export const channel = z.enum(["internal", "beta", "stable"]);

/** Text that a person or a model wrote: well-formed, no NUL (PostgreSQL stores none); bounds count UTF-16 code units. */
export function text(max: number, min = 1): z.ZodType<string, string> {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes("\u0000"));
}
