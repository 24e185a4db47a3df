import type { KeyObject } from "node:crypto";
import type { Checkpoint, Trust } from "./checkpoint.ts";
import { appendCheckpoint, type CheckpointsFault, readNewest } from "./checkpoint-file.ts";
import type { Finding } from "./judge-link.ts";
import { GENESIS, type Position } from "./link.ts";
import { inTransaction, type SealerClient } from "./sealer-client.ts";
import { verifyChain } from "./verify-chain.ts";

/** Where a sealer keeps its checkpoints, and what it signs them with. */
export interface Seal extends Trust {
  readonly file: string;
  readonly secret: KeyObject;
  /** Epoch ms. */
  readonly now: () => number;
}

/** What one round did; or why it signs nothing: the checkpoints say nothing, or the chain is not as it was. */
export type Sealed =
  | { readonly ok: true; readonly rows: number; readonly newest: Checkpoint }
  | { readonly ok: false; readonly fault: CheckpointsFault }
  | { readonly ok: false; readonly finding: Finding };

/** How far below the highest chained row a round looks for rows to chain. */
export type Reach = "window" | "all";

/** Rows a transaction; a round that chained as many has more to do. */
export const MAX_ROWS = 2_000;
/** In ids. What committed later still is found by a round that looks at all, with which a sealer begins, and again. */
const WINDOW = 20_000;
const CHECKPOINT_LOCK = "eve/audit-checkpoint/1";

/**
 * Chains what is not chained and signs where the chain is then. It signs only what it has made anew itself, from the
 * newest checkpoint on: so a round after a killed one signs what that one had chained, and a chain that has lost or
 * changed what was signed is never signed over.
 */
export async function sealRound(client: SealerClient, seal: Seal, reach: Reach): Promise<Sealed> {
  const before = readNewest(seal.file, seal);
  if (typeof before === "string") return { ok: false, fault: before };
  // Nothing is added to a history that was rolled back.
  if (!(await isHeld(client, before))) return cut(before);
  const rows = await chainRows(client, reach);
  const head = await headOf(client);
  if (head.seq === before.seq) return { ok: true, rows, newest: before };
  const signed = await signHead(client, seal);
  return signed.ok ? { ...signed, rows } : signed;
}

async function chainRows(client: SealerClient, reach: Reach): Promise<number> {
  const { rows } = await client.query<{ sealed: number }>(
    "select bff.seal_audit($1, $2) as sealed",
    [MAX_ROWS, reach === "window" ? WINDOW : null],
  );
  return rows[0]?.sealed ?? 0;
}

/** Under a lock that ends with its transaction, so that of several sealers one at a time writes the file. */
function signHead(client: SealerClient, seal: Seal): Promise<Sealed> {
  return inTransaction(client, "", async () => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [CHECKPOINT_LOCK]);
    const newest = readNewest(seal.file, seal);
    if (typeof newest === "string") return { ok: false, fault: newest };
    if (!(await isHeld(client, newest))) return cut(newest);
    const { head, finding } = await verifyChain(client, { from: newest });
    if (finding !== undefined) return { ok: false, finding };
    if (head.seq === newest.seq) return { ok: true, rows: 0, newest };
    const checkpoint = checkpointAt(head, seal);
    appendCheckpoint(seal.file, checkpoint, seal.secret);
    return { ok: true, rows: 0, newest: checkpoint };
  });
}

/** A checkpoint of this moment at a place of the chain. */
export function checkpointAt({ seq, link }: Position, { environment, now }: Seal): Checkpoint {
  return { seq, link, environment, at: new Date(now()).toISOString() };
}

function cut({ seq }: Position): Sealed {
  return { ok: false, finding: { kind: "tail_cut", seq, rowId: null } };
}

async function isHeld(client: SealerClient, { seq, link }: Position): Promise<boolean> {
  if (seq === 0) return link.equals(GENESIS.link);
  const { rowCount } = await client.query(
    "select from bff.audit_chain where seq = $1 and link = $2",
    [seq, link],
  );
  return rowCount === 1;
}

async function headOf(client: SealerClient): Promise<Position> {
  const { rows } = await client.query<{ seq: string; link: Buffer }>(
    "select seq::text, link from bff.audit_chain order by seq desc limit 1",
  );
  const [head] = rows;
  return head === undefined ? GENESIS : { seq: Number(head.seq), link: head.link };
}
