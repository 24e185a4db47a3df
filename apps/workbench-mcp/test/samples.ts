import type { RuntimeFacts } from "../src/runtime.ts";
/** Good answers of the backend, as tests change them. */
export const ITEM = {
  id: "item-1",
  title: "A thing",
  state: "shipped",
  assignee: "agent:1",
  version: 4,
  createdAt: "2026-12-01T10:00:00Z",
  updatedAt: "2026-12-01T11:00:00.500Z",
};
export const CONSENT = "consent_0123456789";
export const OK_SHIP = { status: "ok", item: ITEM, channel: "beta" };
export const PENDING = { status: "pending", consentId: CONSENT, next: "Ask the operator" };
export const OUTCOME = {
  itemId: "item-1",
  from: "submitted",
  to: "shipped",
  version: 4,
  executedAt: "2026-12-01T11:00:00Z",
};

/** An approval request whose page is at `origin`. */
export function approval(origin: string): Readonly<Record<string, unknown>> {
  return {
    status: "approval_required",
    consentId: CONSENT,
    approveUrl: `${origin}/console/consents/${CONSENT}`,
    expiresAt: "2026-12-01T12:10:00Z",
    digest: "d".repeat(64),
    next: "Show it to an operator",
  };
}

/** A runtime that runs nothing but the program. */
export const CLEAN_RUNTIME: RuntimeFacts = {
  execArgv: [],
  env: {},
  nodeVersion: "22.22.0",
  isMainScript: true,
};
