import * as z from "zod";
import { actorId, channel, instant, itemId, itemState, sha256Hex, text } from "./fields.ts";

const count = z.int().min(0);

/** One work item as every tool shows it. `version` rises with each change. */
export const item = z.strictObject({
  id: itemId,
  title: text(200),
  state: itemState,
  assignee: actorId.nullable(),
  version: count,
  createdAt: instant,
  updatedAt: instant,
});

/** A note that an actor left at an item. */
export const note = z.strictObject({
  id: itemId,
  author: actorId,
  text: text(4000),
  createdAt: instant,
});

/** One step of an item's life: who moved it, from where (null: it was made) to where. */
const step = z.strictObject({
  actor: actorId,
  from: itemState.nullable(),
  to: itemState,
  at: instant,
});

/** What was submitted for an item: a summary and the digest of the artifact to ship. */
const change = z.strictObject({
  summary: text(4000),
  artifactSha256: sha256Hex,
  submittedAt: instant,
});

/** One item with everything known of it; notes and history are the newest 100 of each, oldest first. */
export const itemDetail = z.strictObject({
  ...item.shape,
  description: z.string().max(8000),
  change: change.nullable(),
  channel: channel.nullable(),
  notes: z.array(note).max(100),
  history: z.array(step).max(100),
});

/** What an approved publication did, as the workbench recorded it in the same transaction. */
export const recordedOutcome = z.strictObject({
  itemId,
  from: itemState,
  to: itemState,
  version: count,
  executedAt: instant,
});
