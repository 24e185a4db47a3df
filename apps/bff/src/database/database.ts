import type { JsonObject, Sha256 } from "@eve/canonical-json";
import type { ConsentBinding, ConsentState } from "@eve/consent-binding";
import type { Instant, RefusalCode } from "@eve/registry-schema";
import type { Position } from "../audit/link.ts";
import type { Caller } from "../credentials/caller.ts";
import type { ItemDestination } from "./destination.ts";
import type { Item, ItemDetail, ItemState, Note } from "./items.ts";

export type { Caller, CredentialClass, Realm } from "../credentials/caller.ts";
export { type BffKeys, deriveKeys } from "../credentials/keys.ts";
export { listCredentials } from "../credentials/list-credentials.ts";
export { revokeCredential } from "../credentials/revoke-credential.ts";
export { type CredentialRequest, mintCredential } from "../credentials/mint-credential.ts";
export type { ItemDestination } from "./destination.ts";
export type { Item, ItemDetail, ItemState } from "./items.ts";
export { connectDatabase } from "./connect-database.ts";
export { DatabaseError } from "./errors.ts";
export { migrate } from "./migrate.ts";

/** What was asked, or why not: a code of the catalogue. A refusal is a value; only a broken invariant throws. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      /** With `consent.consumed`: what was recorded when the approval was used. */
      readonly outcome?: JsonObject;
      /** With `consent.decided`: the state that the decision found. */
      readonly state?: ConsentState;
      readonly consentId?: string;
    };

/** Which items a list shows. */
export interface ItemFilter {
  readonly state?: ItemState;
  readonly assignee?: string;
  /** A `nextCursor` of an earlier answer; anything else is `request.invalid`. */
  readonly cursor?: string;
  readonly limit: number;
}

/** One page of items, newest change first. */
export interface ItemPage {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The call an approval is asked for, or used by. `arguments` never carry a consent id. */
export interface PublishCall {
  readonly integration: string;
  readonly tool: string;
  readonly toolPins: JsonObject;
  readonly entryDigest: Sha256;
  readonly arguments: JsonObject;
}

/** A call whose preview is wanted, with where the effect sends data. */
export interface ConsentRequest extends PublishCall {
  readonly destinations: readonly ItemDestination[];
}

/** What an operator decides, and about which text: `digest` is the one that was displayed. */
export interface Decision {
  readonly decision: "approve" | "decline";
  readonly digest: string;
  readonly reason: string;
}

/** A consent as its requester and its tenant's operators see it. */
export interface ConsentView {
  readonly id: string;
  readonly state: ConsentState;
  readonly digest: Sha256;
  readonly binding: ConsentBinding;
  readonly createdAt: Instant;
  /** Of the approval once there is one, else of the request. */
  readonly expiresAt: Instant;
  readonly decidedBy: string | null;
  readonly outcome: JsonObject | null;
}

/** What an execution recorded, and the item after it. */
export interface Executed {
  readonly outcome: JsonObject;
  readonly item: Item;
}

/** The registry that a call was judged under. */
export interface JudgedRegistry {
  readonly environment: string;
  readonly sequence: number;
  readonly sha256: string;
  /** Whether the registry admits the call at a time, in epoch ms. */
  readonly isGoverned: (now: number) => boolean;
}

/** Why an open consent is ended before anybody looks at what it binds. */
export type VoidingCode = "lifecycle.quarantined" | "lifecycle.revoked";

/**
 * The service's whole use of PostgreSQL. Each method is one transaction at the database's clock; actor, principal
 * and tenant are taken from the stored credential, never from an argument. Any method can answer
 * `service.unavailable`: the database is away or a lock or statement ran out of time.
 */
export interface BffDatabase {
  /**
   * The caller behind a bearer in its exact form, unexpired and unrevoked now: else `auth.token_invalid`. A credential
   * that is not what was minted is `consent.integrity`.
   */
  authenticate(bearer: string): Promise<Outcome<Caller>>;
  /** Who was behind a bearer when it was authenticated last, if lately. For {@link executeAtOnce} alone. */
  recall(bearer: string): Caller | undefined;
  /** The database's clock, in epoch ms. */
  now(): Promise<number>;
  /** Keeps the highest registry per environment; lower, or equal with another digest, is `registry.rollback`. */
  rememberRegistry(environment: string, sequence: number, sha256: string): Promise<Outcome<void>>;
  listItems(caller: Caller, filter: ItemFilter): Promise<Outcome<ItemPage>>;
  /** `item.not_found` for an unknown item and for another tenant's. */
  getItem(caller: Caller, itemId: string): Promise<Outcome<ItemDetail>>;
  /** queued → claimed, else `item.state_refused`. */
  claimItem(caller: Caller, itemId: string): Promise<Outcome<Item>>;
  addNote(caller: Caller, itemId: string, text: string): Promise<Outcome<Note>>;
  /** claimed by this actor → submitted, else `item.state_refused`. */
  submitChange(
    caller: Caller,
    itemId: string,
    summary: string,
    artifactSha256: string,
  ): Promise<Outcome<Item>>;
  /** Operators only, else `auth.realm_refused`. */
  createItem(
    caller: Caller,
    item: { readonly title: string; readonly description: string },
  ): Promise<Outcome<Item>>;
  /**
   * Previews in a read-only transaction, then writes one consent request and nothing else. The same call again
   * answers the same pending request. Codes: `item.not_found`, `item.state_refused`, `consent.quota_exceeded`.
   */
  requestConsent(caller: Caller, request: ConsentRequest): Promise<Outcome<ConsentView>>;
  /** Unknown and not yours alike: `consent.not_found`. */
  findConsent(caller: Caller, consentId: string): Promise<Outcome<ConsentView>>;
  /**
   * Approves or declines as the operator that `caller` is, with a reason and the digest that was displayed. The first
   * decision counts: `consent.decided` carries the state that a later one found.
   */
  decideConsent(
    caller: Caller,
    consentId: string,
    decision: Decision,
  ): Promise<Outcome<ConsentView>>;
  /**
   * Uses an approval once, in one round trip. Answers {itemId, from, to, version, executedAt}; every refusal has
   * a code of its own, and `consent.consumed` carries the recorded answer.
   */
  executeConsent(
    caller: Caller,
    consentId: string,
    call: PublishCall,
  ): Promise<Outcome<JsonObject>>;
  /** Whether the chain over the audit rows has this link at this place. Rejects where the database cannot tell. */
  holdsAuditLink(position: Position): Promise<boolean>;
  /**
   * The same for a recalled caller, with who calls and under which registry in the same round trip. `undefined`:
   * something is not as assumed and nothing was done; authenticate, judge and execute one after the other.
   */
  executeAtOnce(
    caller: Caller,
    registry: JudgedRegistry,
    consentId: string,
    call: PublishCall,
  ): Promise<Outcome<Executed> | undefined>;
  /** Ends the caller's own open consent for good: its entry is not active. One that has ended stays as it is. */
  voidConsent(caller: Caller, consentId: string, code: VoidingCode): Promise<Outcome<void>>;
  /** Whether the database answers, is migrated, and gives this role no more than the service's rights. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
