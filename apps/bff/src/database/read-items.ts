import { sql, type Transaction } from "kysely";
import { type Client, readAs } from "./client.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { Caller, ItemFilter, ItemPage, Outcome } from "./database.ts";
import { instantOf } from "./instants.ts";
import type { Item, ItemChange, ItemDetail, ItemStep, Note } from "./items.ts";
import { isStorable } from "./storable.ts";
import type { Tables } from "./tables.ts";

type Trx = Transaction<Tables>;
type ItemRow = Tables["bff.items"];

const NEWEST = 100;

/** One page of the tenant's items, newest change first. `request.invalid` for a cursor that no answer gave. */
export async function listItems(
  client: Client,
  { tenant }: Caller,
  { state, assignee, cursor, limit }: ItemFilter,
): Promise<Outcome<ItemPage>> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor);
  if ((cursor !== undefined && !from) || !isStorable(assignee ?? ""))
    return { ok: false, code: "request.invalid" };
  const rows = await readAs(client, tenant, (trx) => {
    let query = trx.selectFrom("bff.items").selectAll();
    if (state !== undefined) query = query.where("state", "=", state);
    if (assignee !== undefined) query = query.where("assignee", "=", assignee);
    if (from)
      query = query.where(
        sql<boolean>`(updated_at, id) < (${from.updatedAt}::timestamptz, ${from.id}::text)`,
      );
    // One more than asked tells whether there is a next page.
    return query
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last ? encodeCursor({ updatedAt: last.updated_at, id: last.id }) : null;
  return { ok: true, value: { items: page.map(itemOf), nextCursor } };
}

/** One item with its newest notes and steps: `item.not_found` for an unknown one and for another tenant's. */
export async function getItem(
  client: Client,
  { tenant }: Caller,
  itemId: string,
): Promise<Outcome<ItemDetail>> {
  if (!isStorable(itemId)) return { ok: false, code: "item.not_found" };
  const detail = await readAs(client, tenant, async (trx) => {
    const row = await findItem(trx, itemId);
    return (
      row && {
        ...detailOf(row),
        notes: await notesOf(trx, itemId),
        history: await stepsOf(trx, itemId),
      }
    );
  });
  return detail ? { ok: true, value: detail } : { ok: false, code: "item.not_found" };
}

/** The row of an item of the transaction's tenant. */
export function findItem(trx: Trx, itemId: string): Promise<ItemRow | undefined> {
  return trx.selectFrom("bff.items").selectAll().where("id", "=", itemId).executeTakeFirst();
}

async function notesOf(trx: Trx, itemId: string): Promise<readonly Note[]> {
  const rows = await trx
    .selectFrom("bff.notes")
    .selectAll()
    .where("item", "=", itemId)
    .orderBy("sequence", "desc")
    .limit(NEWEST)
    .execute();
  return rows.toReversed().map(({ id, author, text, created_at }) => ({
    id,
    author,
    text,
    createdAt: instantOf(created_at),
  }));
}

async function stepsOf(trx: Trx, itemId: string): Promise<readonly ItemStep[]> {
  const rows = await trx
    .selectFrom("bff.history")
    .selectAll()
    .where("item", "=", itemId)
    .orderBy("sequence", "desc")
    .limit(NEWEST)
    .execute();
  return rows.toReversed().map(({ actor, from_state, to_state, at }) => ({
    actor,
    from: from_state,
    to: to_state,
    at: instantOf(at),
  }));
}

function itemOf(row: ItemRow): Item {
  const { id, title, state, assignee, version } = row;
  const [createdAt, updatedAt] = [instantOf(row.created_at), instantOf(row.updated_at)];
  return { id, title, state, assignee, version, createdAt, updatedAt };
}

function detailOf(row: ItemRow): Omit<ItemDetail, "notes" | "history"> {
  const { description, channel } = row;
  return { ...itemOf(row), description, channel, change: changeOf(row) };
}

function changeOf(row: ItemRow): ItemChange | null {
  const { change_summary: summary, change_artifact: artifactSha256, change_submitted_at: at } = row;
  return summary === null || artifactSha256 === null || at === null
    ? null
    : { summary, artifactSha256, submittedAt: instantOf(at) };
}
