import { framedDigest } from "@eve/canonical-json";
import { type ConsentBinding, encodeBinding, REQUEST_LIFE_MS } from "@eve/consent-binding";
import { formatInstant } from "@eve/registry-schema";
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import * as z from "zod";
import type { BffKeys } from "../credentials/keys.ts";
import { type Client, readAs } from "./client.ts";
import { clock } from "./clock.ts";
import type { Caller, ConsentRequest, Outcome } from "./database.ts";
import { callFor } from "./functions.ts";
import type { Publication } from "./publication.ts";
import { publicationOf } from "./publication.ts";
import { findItem } from "./read-items.ts";
import { consentSealPads } from "./row-seal.ts";
import { storableJson } from "./storable.ts";

type Draft = Omit<ConsentBinding, "consentId" | "expiresAt">;

const written = z.strictObject({ id: z.string() });

/**
 * Previews the call without a write, then writes the request, or answers the id of the same one that waits already.
 * `request.invalid` for what is no publishing call.
 */
export async function requestConsent(
  client: Client,
  keys: BffKeys,
  caller: Caller,
  request: ConsentRequest,
): Promise<Outcome<{ readonly id: string }>> {
  const publication = publicationOf(request.tool, request.arguments);
  if (!publication || storableJson({ ...request.arguments }) === undefined)
    return { ok: false, code: "request.invalid" };
  const previewed = await preview(client, caller, request, publication);
  if (!previewed.ok) return previewed;
  const { draft, now } = previewed.value;
  const expiresAt = formatInstant(now + REQUEST_LIFE_MS);
  const consentId = randomUUID();
  const binding = Buffer.from(encodeBinding({ ...draft, consentId, expiresAt }));
  // What two calls must have in common to be the same: all but the id and the expiry.
  const key = framedDigest("eve/consent-request/1", { ...draft });
  const { credentialId } = caller;
  return callFor(
    client,
    sql`bff.request_consent(${credentialId}, ${key}, ${publication.itemId}, ${binding}, ${consentSealPads(keys, consentId)})`,
    written,
  );
}

/** What the call would do to the item as it stands: PostgreSQL itself refuses any write in this transaction. */
function preview(
  client: Client,
  { actor, tenant }: Caller,
  { destinations, ...call }: ConsentRequest,
  publication: Publication,
): Promise<Outcome<{ readonly draft: Draft; readonly now: number }>> {
  return readAs(client, tenant, async (trx) => {
    const item = await findItem(trx, publication.itemId);
    if (!item) return { ok: false, code: "item.not_found" };
    if (item.state !== publication.from) return { ok: false, code: "item.state_refused" };
    const { integration, tool, toolPins, entryDigest, arguments: fields } = call;
    const draft: Draft = {
      version: 1,
      actor,
      tenant,
      integration,
      tool,
      toolPins,
      entryDigest,
      arguments: fields,
      preview: {
        ...publication,
        effect: { ...publication.effect },
        version: item.version,
        destinations: destinations.map(({ origin, dataClasses }) => ({ origin, dataClasses })),
      },
    };
    return { ok: true, value: { draft, now: await clock(trx) } };
  });
}
