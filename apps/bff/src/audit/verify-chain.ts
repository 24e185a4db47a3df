import type { Buffer } from "node:buffer";
import type { Checkpoint } from "./checkpoint.ts";
import { type Finding, type FoundLink, judgeLink } from "./judge-link.ts";
import { GENESIS, type Position } from "./link.ts";
import type { SealerClient } from "./sealer-client.ts";

/** How far the chain is as it was sealed: all of it, or up to the first thing that is wrong. */
export interface ChainReport {
  /** The last link that is right. */
  readonly head: Position;
  /** The last checkpoint that the chain agrees with; 0 where there is none. */
  readonly provenTo: number;
  readonly finding: Finding | undefined;
}

/** What to verify, and whom to tell. */
export interface Verification {
  /** Where to begin: a place that is known to be right; the whole chain where left out. */
  readonly from?: Position;
  /** Rising; those up to `from` are not looked at. */
  readonly checkpoints?: readonly Checkpoint[];
  /** Called after each batch with the number of the last link that was read. */
  readonly onProgress?: (seq: number) => void;
}

/** Links a query, so that memory does not grow with the chain. */
const BATCH = 1_000;

const LINKS = `
select c.seq::text, coalesce(c.row_id, 0)::text, coalesce(c.row_digest, ''), coalesce(c.previous, ''),
  coalesce(c.link, ''), a.id is not null,
  a.id::text, trunc(extract(epoch from a.at) * 1000000)::text, a.tenant::text, a.actor::text, a.principal::text,
  a.credential::text, a.action, a.subject, a.code, a.detail::text
from bff.audit_chain c left join bff.audit a on a.id = c.row_id
where c.seq > $1 order by c.seq limit ${BATCH}`;

/** Makes every digest and link anew from the rows, and holds them against the chain and its checkpoints, in order. */
export async function verifyChain(
  client: SealerClient,
  { from = GENESIS, checkpoints = [], onProgress }: Verification = {},
): Promise<ChainReport> {
  const waiting = checkpoints.filter(({ seq }) => seq > from.seq);
  const started = checkpoints.find(({ seq }) => seq === from.seq);
  if (started !== undefined && !started.link.equals(from.link))
    return rewritten(from, 0, started.seq, null);
  let [head, provenTo, next] = [from, started?.seq ?? 0, 0];
  for (let links = await linksAfter(client, from.seq); links.length > 0;) {
    for (const found of links) {
      const finding = judgeLink(head, found);
      if (finding !== undefined) return { head, provenTo, finding };
      const checkpoint = waiting[next];
      if (checkpoint?.seq === found.seq) {
        if (!checkpoint.link.equals(found.link))
          return rewritten(head, provenTo, found.seq, found.rowId);
        provenTo = checkpoint.seq;
        next += 1;
      }
      head = { seq: found.seq, link: found.link };
    }
    onProgress?.(head.seq);
    links = await linksAfter(client, head.seq);
  }
  const finding: Finding | undefined =
    next < waiting.length ? { kind: "tail_cut", seq: head.seq + 1, rowId: null } : undefined;
  return { head, provenTo, finding };
}

function rewritten(
  head: Position,
  provenTo: number,
  seq: number,
  rowId: string | null,
): ChainReport {
  return { head, provenTo, finding: { kind: "history_rewritten", seq, rowId } };
}

type LinkRow = [string, string, Buffer, Buffer, Buffer, boolean, ...(string | null)[]];

async function linksAfter(client: SealerClient, seq: number): Promise<readonly FoundLink[]> {
  const { rows } = await client.query<LinkRow>({ text: LINKS, values: [seq], rowMode: "array" });
  return rows.map(([at, rowId, rowDigest, previous, link, hasRow, ...fields]) => ({
    seq: Number(at),
    rowId,
    rowDigest,
    previous,
    link,
    fields: hasRow ? fields : undefined,
  }));
}
