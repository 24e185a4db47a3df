/** Where a consent stands. Nothing leaves the last four. */
export const CONSENT_STATES = [
  "pending",
  "approved",
  "consumed",
  "declined",
  "expired",
  "voided",
] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

/** The only moves there are; the database enforces the same table. */
export const TRANSITIONS: Readonly<Record<ConsentState, readonly ConsentState[]>> = {
  pending: ["approved", "declined", "expired", "voided"],
  approved: ["consumed", "expired", "voided"],
  consumed: [],
  declined: [],
  expired: [],
  voided: [],
};

/** Whether a consent may move from one state to another; staying is no move. */
export function mayMove(from: ConsentState, to: ConsentState): boolean {
  return TRANSITIONS[from].includes(to);
}

/** How long a request waits for a decision, in ms. */
export const REQUEST_LIFE_MS = 600_000;
/** How long an approval may be executed, in ms from the decision. */
export const APPROVAL_LIFE_MS = 600_000;
