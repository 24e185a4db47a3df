import * as z from "zod";

/** A work item's id as the workbench mints it. */
export const itemId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
  .describe("Id of a work item, as workbench_list_items lists it");

/** The handle of one approval request. It proves nothing by itself: the workbench checks actor, tool and arguments. */
export const consentId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/)
  .describe("Id of the approval request that an earlier call of this tool answered");

/** Who acts or is assigned, as the workbench names them. */
export const actorId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}$/)
  .describe("Id of an actor");

/** Opaque position in a list. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,512}$/)
  .describe("Opaque position in the list");

/** SHA-256 as 64 lower-case hex digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** UTC instant, `YYYY-MM-DDTHH:MM:SS(.mmm)?Z`. */
export const instant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/);

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
export const channel = z
  .enum(["internal", "beta", "stable"])
  .describe("Where the change is shipped to");

/** Text that a person or a model wrote: well-formed, no NUL (PostgreSQL stores none); `max` counts UTF-16 code units. */
export function text(max: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(max)
    .refine(
      (value) => value.isWellFormed() && !value.includes("\u0000"),
      "well-formed text without NUL",
    );
}
