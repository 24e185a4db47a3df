import { APPROVAL_LIFE_MS, type ConsentState, REQUEST_LIFE_MS } from "../consent-state.ts";

/** Who may act: three actors of two tenants, two operators. Olga is the person behind the packer. */
export const ACTORS = [
  { class: "agent", actor: "builder", principal: "ann", tenant: "acme" },
  { class: "agent", actor: "packer", principal: "olga", tenant: "acme" },
  { class: "agent", actor: "builder", principal: "gus", tenant: "globex" },
] as const;
export const OPERATORS = [
  { class: "operator", actor: "olga", principal: "olga", tenant: "acme" },
  { class: "operator", actor: "oona", principal: "oona", tenant: "globex" },
] as const;
export type Person = (typeof ACTORS)[number] | (typeof OPERATORS)[number];
export const ITEM_IDS = ["item-1", "item-2"] as const;

interface Consent {
  readonly by: Person;
  readonly itemId: string;
  readonly channel: string;
  readonly version: number;
  state: ConsentState;
  /** Epoch ms. */
  end: number;
}

interface Item {
  state: string;
  version: number;
}

/** What a call changes of the approved one. */
export type Difference = "none" | "channel" | "tool" | "pins" | "entry";

/**
 * What a consent store does, told a second time: plain rules over plain values, without the package's judgements. It
 * foretells the code of each step and keeps what the world must look like after it.
 */
export class ConsentModel {
  /** Epoch ms. */
  now: number;
  moves = 0;
  readonly #quota: number;
  readonly consents: Consent[] = [];
  readonly items: Map<string, Item> = new Map();

  constructor(now: number, quota: number) {
    this.now = now;
    this.#quota = quota;
  }

  item(tenant: string, itemId: string): Item {
    const key = `${tenant}/${itemId}`;
    const item = this.items.get(key) ?? { state: "submitted", version: 1 };
    this.items.set(key, item);
    return item;
  }

  stateOf(consent: Consent): ConsentState {
    const isOpen = consent.state === "pending" || consent.state === "approved";
    return isOpen && this.now >= consent.end ? "expired" : consent.state;
  }

  /** The code, and the index of the consent that is answered. */
  request(by: Person, itemId: string, channel: string): { code: string; index: number } {
    const { state, version } = this.item(by.tenant, itemId);
    if (state !== "submitted") return { code: "item.state_refused", index: -1 };
    const waiting = this.consents.filter(
      (consent) => consent.by === by && this.stateOf(consent) === "pending",
    );
    const same = waiting.find(
      (consent) =>
        consent.itemId === itemId && consent.channel === channel && consent.version === version,
    );
    if (same) return { code: "ok", index: this.consents.indexOf(same) };
    if (waiting.length >= this.#quota) return { code: "consent.quota_exceeded", index: -1 };
    const end = this.now + REQUEST_LIFE_MS;
    const made = { by, itemId, channel, version, state: "pending", end } as const;
    return { code: "ok", index: this.consents.push({ ...made }) - 1 };
  }

  decide(by: Person, index: number, approve: boolean, rightDigest: boolean): string {
    const consent = this.consents[index];
    if (by.class !== "operator") return "consent.approver_not_operator";
    if (!consent || consent.by.tenant !== by.tenant) return "consent.not_found";
    if (consent.by.principal === by.principal) return "consent.self_approval";
    const state = this.stateOf(consent);
    if (state === "approved") return "consent.decided";
    if (state !== "pending") return this.#end(consent, state);
    if (!rightDigest) return "consent.digest_mismatch";
    const item = this.item(by.tenant, consent.itemId);
    if (approve && !fits(item, consent)) return this.#void(consent, "consent.item_changed");
    consent.state = approve ? "approved" : "declined";
    if (approve) consent.end = this.now + APPROVAL_LIFE_MS;
    return "ok";
  }

  execute(by: Person, index: number, difference: Difference): string {
    const consent = this.consents[index];
    const isTheirs = consent?.by.tenant === by.tenant && consent.by.actor === by.actor;
    if (!consent || !isTheirs) return "consent.not_found";
    const state = this.stateOf(consent);
    if (state !== "approved") return this.#end(consent, state);
    if (difference === "channel" || difference === "tool") return "consent.arguments_mismatch";
    if (difference !== "none") return this.#void(consent, "consent.surface_changed");
    const item = this.item(by.tenant, consent.itemId);
    if (!fits(item, consent)) return this.#void(consent, "consent.item_changed");
    consent.state = "consumed";
    item.state = "shipped";
    item.version += 1;
    this.moves += 1;
    return "ok";
  }

  #end(consent: Consent, state: ConsentState): string {
    consent.state = state;
    return `consent.${state}`;
  }

  #void(consent: Consent, code: string): string {
    consent.state = "voided";
    return code;
  }
}

function fits({ state, version }: Item, consent: Consent): boolean {
  return state === "submitted" && version === consent.version;
}
