import { canonicalJson } from "@eve/canonical-json";
import { formatInstant, type Instant, type Refusal, type RefusalCode } from "@eve/registry-schema";
import { approvalMac } from "../approval-mac.ts";
import { type ConsentBinding, encodeBinding } from "../binding.ts";
import { bindingDigest } from "../binding-digest.ts";
import { judgeIntegrity } from "../consent-case.ts";
import { type ConsentState, mayMove, REQUEST_LIFE_MS } from "../consent-state.ts";
import type {
  ConsentCaller,
  ConsentDecision,
  ConsentOutcome,
  ConsentRequest,
  ConsentStore,
  ConsentView,
  PublishingCall,
} from "../consent-store.ts";
import { type ConsumedApproval, makeConsumedApproval } from "../consumed-approval.ts";
import { judgeDecision } from "../judge-decision.ts";
import { judgeExecution } from "../judge-execution.ts";
import { judgeItem } from "../judge-item.ts";
import type { StoredConsent } from "../stored-consent.ts";
import { voidsApproval } from "../voids-approval.ts";
import { MemoryItems } from "./memory-items.ts";
import {
  bindingIn,
  consentIdOf,
  digestIn,
  matterOf,
  previewIn,
  type Row,
  stateAt,
  viewOf,
} from "./memory-row.ts";

/** What the model needs from outside. */
export interface MemoryStoreOptions {
  /** Epoch ms. */
  readonly clock: () => number;
  /** At least 32 bytes. */
  readonly key: Uint8Array;
  /** How many undecided requests one actor may have; 20 unless told. */
  readonly pendingQuota?: number;
}

type Refused = Extract<ConsentOutcome<never>, { readonly ok: false }>;

/**
 * The model of a consent store: the rules of this package over two maps, each method one uninterrupted step. A real store
 * must answer as it does; `consentStoreContract` says in which cases.
 */
export class MemoryConsentStore implements ConsentStore {
  readonly items: MemoryItems = new MemoryItems();
  readonly #rows = new Map<string, Row>();
  readonly #clock: () => number;
  readonly #key: Uint8Array;
  readonly #pendingQuota: number;

  constructor({ clock, key, pendingQuota = 20 }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#key = key;
    this.#pendingQuota = pendingQuota;
  }

  async request(
    caller: ConsentCaller,
    request: ConsentRequest,
  ): Promise<ConsentOutcome<ConsentView>> {
    const now = this.#clock();
    const preview = this.items.preview(caller.tenant, request);
    if (typeof preview === "string") return { ok: false, code: preview };
    const { destinations: _inThePreview, ...call } = request;
    const draft = {
      ...call,
      version: 1,
      expiresAt: formatInstant(now + REQUEST_LIFE_MS),
      actor: caller.actor,
      tenant: caller.tenant,
      preview,
    } as const;
    const waiting = this.#waiting(caller, now);
    const same = waiting.find(
      ({ consent }) =>
        consent.principal === caller.principal && matterOf(bindingIn(consent)) === matterOf(draft),
    );
    if (same) return { ok: true, value: viewOf(same, now) };
    if (waiting.length >= this.#pendingQuota) return { ok: false, code: "consent.quota_exceeded" };
    return { ok: true, value: viewOf(this.#insert(caller, draft, now), now) };
  }

  async find(caller: ConsentCaller, consentId: string): Promise<ConsentOutcome<ConsentView>> {
    const row = this.#rows.get(consentId);
    if (!row || !maySee(caller, row.consent)) return { ok: false, code: "consent.not_found" };
    const [refused] = judgeIntegrity(row.consent, this.#key);
    if (refused) return { ok: false, code: refused.code };
    return { ok: true, value: viewOf(row, this.#clock()) };
  }

  async decide(
    caller: ConsentCaller,
    consentId: string,
    { decision, digest, reason }: ConsentDecision,
  ): Promise<ConsentOutcome<ConsentView>> {
    const now = this.#clock();
    const row = this.#rows.get(consentId);
    const [refused] = judgeDecision(row?.consent, caller, digest, now, this.#key);
    if (refused) return this.#refuse(row, refused.code);
    if (!row) return { ok: false, code: "consent.not_found" };
    if (reason.trim() === "") return { ok: false, code: "request.invalid" };
    const [stale] = decision === "approve" ? this.#staleness(row) : [];
    if (stale) return this.#refuse(row, stale.code);
    const changes = decision === "approve" ? this.#approval(row, caller, now) : DECLINED;
    const decided = { ...row, decidedBy: caller.principal };
    return { ok: true, value: viewOf(this.#put(decided, changes), now) };
  }

  async execute(
    caller: ConsentCaller,
    consentId: string,
    { arguments: fields, ...rest }: PublishingCall,
  ): Promise<ConsentOutcome<ConsumedApproval>> {
    const now = this.#clock();
    const row = this.#rows.get(consentId);
    const { actor, principal, tenant } = caller;
    const argumentsCanonical = new TextEncoder().encode(canonicalJson(fields));
    const call = { ...rest, actor, principal, tenant, argumentsCanonical };
    const [refused] = judgeExecution(row?.consent, call, now, this.#key);
    if (refused) return this.#refuse(row, refused.code);
    if (!row) return { ok: false, code: "consent.not_found" };
    return this.#consume(row, formatInstant(now));
  }

  /** The row as it is kept, for tests that look behind the store. */
  stored(consentId: string): StoredConsent | undefined {
    return this.#rows.get(consentId)?.consent;
  }

  /** Changes a row without asking anybody, as somebody with access to the table would. */
  tamper(consentId: string, changes: Partial<StoredConsent>): void {
    const row = this.#rows.get(consentId);
    if (row) this.#put(row, changes);
  }

  #waiting({ tenant, actor }: ConsentCaller, now: number): readonly Row[] {
    return [...this.#rows.values()].filter(
      ({ consent }) =>
        consent.tenant === tenant && consent.actor === actor && stateAt(consent, now) === "pending",
    );
  }

  #insert(caller: ConsentCaller, draft: Omit<ConsentBinding, "consentId">, now: number): Row {
    const id = consentIdOf(this.#rows.size);
    const binding = encodeBinding({ ...draft, consentId: id });
    const { principal, actor, tenant } = caller;
    const digest = bindingDigest(binding);
    const state = "pending";
    return this.#put(
      {
        consent: { id, state, principal, actor, tenant, binding, digest, approval: null },
        createdAt: formatInstant(now),
        decidedBy: null,
        outcome: null,
      },
      {},
    );
  }

  #approval(
    { consent: { digest } }: Row,
    { principal: approver }: ConsentCaller,
    now: number,
  ): Partial<StoredConsent> {
    const at = formatInstant(now);
    const mac = approvalMac(this.#key, { digest, approver, at });
    return { state: "approved", approval: { approver, at, mac } };
  }

  /** An item that moved on ends an approval, before it begins too. */
  #staleness({ consent }: Row): readonly Refusal[] {
    const preview = previewIn(bindingIn(consent));
    return judgeItem(preview, this.items.of(consent.tenant, preview.itemId));
  }

  #consume(row: Row, consumedAt: Instant): ConsentOutcome<ConsumedApproval> {
    const binding = bindingIn(row.consent);
    const { consentId, tenant, actor, integration, tool } = binding;
    const preview = previewIn(binding);
    const { itemId, from, to } = preview;
    const [stale] = this.#staleness(row);
    if (stale) return this.#refuse(row, stale.code);
    const version = this.items.move(tenant, preview);
    const outcome = { itemId, from, to, version, executedAt: consumedAt };
    this.#put({ ...row, outcome }, { state: "consumed" });
    const who = { consentId, tenant, actor, integration, tool };
    const approver = row.consent.approval?.approver ?? "";
    const digest = digestIn(row.consent);
    const proof = makeConsumedApproval({ ...who, digest, approver, consumedAt, outcome });
    return { ok: true, value: proof };
  }

  #refuse(row: Row | undefined, code: RefusalCode): Refused {
    if (row && code === "consent.expired") this.#end(row, "expired");
    if (row && voidsApproval(code)) this.#end(row, "voided");
    return code === "consent.consumed" && row?.outcome
      ? { ok: false, code, outcome: row.outcome }
      : { ok: false, code };
  }

  #end(row: Row, state: ConsentState): void {
    if (mayMove(row.consent.state, state)) this.#put(row, { state });
  }

  #put(row: Row, changes: Partial<StoredConsent>): Row {
    const next = { ...row, consent: { ...row.consent, ...changes } };
    this.#rows.set(next.consent.id, next);
    return next;
  }
}

const DECLINED: Partial<StoredConsent> = { state: "declined" };

function maySee(caller: ConsentCaller, { tenant, actor, principal }: StoredConsent): boolean {
  const asked = caller.actor === actor && caller.principal === principal;
  return caller.tenant === tenant && (asked || caller.class === "operator");
}
