import type { RefusalCode } from "@eve/registry-schema";

const VOIDING: readonly RefusalCode[] = ["consent.surface_changed", "consent.item_changed"];

/** Whether a refused execution ends the approval for good (state `voided`) rather than leave it usable. */
export function voidsApproval(code: RefusalCode): boolean {
  return VOIDING.includes(code);
}
