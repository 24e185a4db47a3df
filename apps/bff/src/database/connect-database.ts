import { sql } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import { authenticate } from "./authenticate.ts";
import { available } from "./available.ts";
import { type Client, connect } from "./client.ts";
import { clock } from "./clock.ts";
import type { BffDatabase, Caller, ConsentView, Executed, Outcome } from "./database.ts";
import { decideConsent } from "./decide-consent.ts";
import { executeAtOnce } from "./execute-at-once.ts";
import { executeConsent } from "./execute-consent.ts";
import { findConsent } from "./find-consent.ts";
import { callFunction } from "./functions.ts";
import { holdsAuditLink } from "./holds-audit-link.ts";
import { getItem, listItems } from "./read-items.ts";
import { isReady } from "./readiness.ts";
import { RecentCallers } from "./recent-callers.ts";
import { refused } from "./refused.ts";
import { requestConsent } from "./request-consent.ts";
import { voidConsent } from "./void-consent.ts";
import { addNote, claimItem, createItem, submitChange } from "./write-items.ts";

/** `url` is of the service's role; `keys` never reach the database, but for the key of one consent as it is executed. */
export interface DatabaseOptions {
  readonly url: string;
  readonly keys: BffKeys;
}

/** The database behind a URL. Nothing is connected before the first use. */
export function connectDatabase({ url, keys }: DatabaseOptions): BffDatabase {
  const client = connect(url);
  const recent = new RecentCallers(keys);
  return {
    authenticate: async (bearer) => {
      const found = await authenticate(client, keys, bearer);
      if (found.ok) recent.remember(bearer, found.value);
      else recent.forget(bearer);
      return found.ok ? { ok: true, value: found.value.caller } : found;
    },
    recall: (bearer) => recent.recall(bearer),
    now: async () => (recent.newestTime = await clock(client)),
    rememberRegistry: (environment, sequence, digest) =>
      available(() => rememberRegistry(client, environment, sequence, digest)),
    listItems: (caller, filter) => available(() => listItems(client, caller, filter)),
    getItem: (caller, itemId) => available(() => getItem(client, caller, itemId)),
    claimItem: (caller, itemId) => available(() => claimItem(client, caller, itemId)),
    addNote: (caller, itemId, text) => available(() => addNote(client, caller, itemId, text)),
    submitChange: (caller, itemId, summary, artifact) =>
      available(() => submitChange(client, caller, itemId, summary, artifact)),
    createItem: (caller, item) => available(() => createItem(client, caller, item)),
    requestConsent: (caller, request) =>
      available(async () => {
        const written = await requestConsent(client, keys, caller, request);
        return written.ok ? view(client, keys, caller, written.value.id) : written;
      }),
    findConsent: (caller, consentId) => available(() => view(client, keys, caller, consentId)),
    decideConsent: (caller, consentId, decision) =>
      available(async () => {
        const decided = await decideConsent(client, keys, caller, consentId, decision);
        return decided.ok ? view(client, keys, caller, consentId) : refused(decided, consentId);
      }),
    executeConsent: (caller, consentId, call) =>
      available(() => executeConsent(client, keys, caller, consentId, call)),
    holdsAuditLink: (position) => holdsAuditLink(client, position),
    executeAtOnce: async (caller, registry, consentId, call) => {
      const answer = await available(async (): Promise<Outcome<Outcome<Executed> | undefined>> => ({
        ok: true,
        value: await executeAtOnce(client, keys, recent, caller, registry, consentId, call),
      }));
      return answer.ok ? answer.value : answer;
    },
    voidConsent: (caller, consentId, code) =>
      available(() => voidConsent(client, keys, caller, consentId, code)),
    ready: () => isReady(client),
    close: () => client.destroy(),
  };
}

function view(
  client: Client,
  keys: BffKeys,
  caller: Caller,
  consentId: string,
): Promise<Outcome<ConsentView>> {
  return findConsent(client, keys, caller, consentId);
}

async function rememberRegistry(
  client: Client,
  environment: string,
  sequence: number,
  digest: string,
): Promise<Outcome<void>> {
  const answer = await callFunction(
    client,
    sql`bff.remember_registry(${environment}, ${sequence}, ${digest})`,
  );
  return answer.ok ? { ok: true, value: undefined } : answer;
}
