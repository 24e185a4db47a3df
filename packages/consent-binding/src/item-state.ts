/** The states a work item moves through, in their order; the last two end it. */
export const ITEM_STATES = [
  "queued",
  "claimed",
  "submitted",
  "shipped",
  "verified",
  "rejected",
] as const;

/** One state of a work item. */
export type ItemState = (typeof ITEM_STATES)[number];
