import { type Instant, parseInstant } from "@eve/registry-schema";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod";
import type { Client } from "./client.ts";
import type { Caller, Outcome } from "./database.ts";
import { callFor } from "./functions.ts";
import type { Item, Note } from "./items.ts";
import { isStorable } from "./storable.ts";

const instant = z.custom<Instant>(
  (value) => typeof value === "string" && parseInstant(value) !== undefined,
);
/** An item as the database's functions answer it. */
export const itemShape: z.ZodType<Item> = z.strictObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(["queued", "claimed", "submitted", "shipped", "verified", "rejected"]),
  assignee: z.string().nullable(),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
});
const note: z.ZodType<Note> = z.strictObject({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  createdAt: instant,
});

/** Makes a queued item. */
export function createItem(
  client: Client,
  { credentialId }: Caller,
  { title, description }: { readonly title: string; readonly description: string },
): Promise<Outcome<Item>> {
  return write(client, sql`bff.create_item(${credentialId}, ${title}, ${description})`, itemShape, [
    title,
    description,
  ]);
}

/** queued → claimed. */
export function claimItem(
  client: Client,
  { credentialId }: Caller,
  itemId: string,
): Promise<Outcome<Item>> {
  return write(client, sql`bff.claim_item(${credentialId}, ${itemId})`, itemShape, [itemId]);
}

/** claimed by the caller → submitted. */
export function submitChange(
  client: Client,
  { credentialId }: Caller,
  itemId: string,
  summary: string,
  artifactSha256: string,
): Promise<Outcome<Item>> {
  const call = sql`bff.submit_change(${credentialId}, ${itemId}, ${summary}, ${artifactSha256})`;
  return write(client, call, itemShape, [itemId, summary, artifactSha256]);
}

/** Appends a note, in any state. */
export function addNote(
  client: Client,
  { credentialId }: Caller,
  itemId: string,
  text: string,
): Promise<Outcome<Note>> {
  return write(client, sql`bff.add_note(${credentialId}, ${itemId}, ${text})`, note, [
    itemId,
    text,
  ]);
}

/** The edge has checked lengths and forms; what slips through a constraint is `request.invalid`, not a fault. */
async function write<T>(
  client: Client,
  call: RawBuilder<unknown>,
  shape: z.ZodType<T>,
  texts: readonly string[],
): Promise<Outcome<T>> {
  if (!isStorable(...texts)) return { ok: false, code: "request.invalid" };
  try {
    return await callFor(client, call, shape);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === CHECK_VIOLATION)
      return { ok: false, code: "request.invalid" };
    throw error;
  }
}

const CHECK_VIOLATION = "23514";
