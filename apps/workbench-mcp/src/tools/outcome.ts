import * as z from "zod";
import { consentId, instant, sha256Hex, text } from "./fields.ts";
import { recordedOutcome } from "./items.ts";

const code = z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/);
const httpUrl = z.string().regex(/^https?:\/\/[^\s"<>\\]{1,2000}$/);

/** Nothing was done: a stable code, why in words, and what to do. */
export const refused = z.strictObject({
  status: z.literal("refused"),
  code,
  title: text(300),
  remedy: text(1000),
});

/** As `refused`; a repeat of an executed publication carries what was recorded for it. */
export const refusedPublication = z.strictObject({
  ...refused.shape,
  outcome: recordedOutcome.optional(),
});

/** Nothing was done but a request for approval: a person must decide at `approveUrl` before `expiresAt`. */
export const approvalRequired = z.strictObject({
  status: z.literal("approval_required"),
  consentId,
  approveUrl: httpUrl,
  expiresAt: instant,
  digest: sha256Hex.describe("Digest of the exact call; the approval page shows the same one"),
  next: text(1000),
});

/** Nothing was done: the person has not decided yet. */
export const pending = z.strictObject({
  status: z.literal("pending"),
  consentId,
  approveUrl: httpUrl.optional(),
  expiresAt: instant.optional(),
  next: text(1000),
});

/** The tool's own payload under `status: "ok"`. */
export function ok<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<{ status: z.ZodLiteral<"ok"> } & Shape, z.core.$strict> {
  return z.strictObject({ status: z.literal("ok"), ...shape });
}
