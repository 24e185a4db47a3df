import type { Requested } from "../database/call.ts";
import { open, required } from "../database/store.ts";

/** What PostgreSQL holds of one consent, counted in its tables and not asked of the service. */
export interface Effects {
  readonly state: string;
  /** Rows of the item's history that this consent paid for. */
  readonly moves: number;
  /** How many versions the item is past the one that was previewed. */
  readonly versions: number;
  /** Audit rows of an execution. */
  readonly consumed: number;
  /** Audit rows of an approval or a decline. */
  readonly decided: number;
  /** Audit rows of an end without an effect that is no decline. */
  readonly ended: number;
  readonly outcome: unknown;
}

/** One effect, told once, by one approval. */
export const ONCE = { state: "consumed", moves: 1, versions: 1, consumed: 1, decided: 1, ended: 0 };

/** Reads {@link Effects} as the owner, on a connection of its own. */
export async function effectsOf(ownerUrl: string, { view }: Requested): Promise<Effects> {
  const owner = await open(ownerUrl);
  try {
    await owner.query("select set_config('eve.tenant', $1, false)", [view.binding.tenant]);
    const { rows } = await owner.query<Effects>(EFFECTS, [view.id]);
    return required(rows[0]);
  } finally {
    await owner.end();
  }
}

function audited(actions: string): string {
  return `(select count(*)::int from bff.audit a where a.subject = c.id::text and a.action in (${actions}))`;
}

const EFFECTS = `
  select c.state, c.outcome,
    (select count(*)::int from bff.history h where h.consent = c.id) as moves,
    i.version - (convert_from(c.binding, 'UTF8')::json -> 'preview' ->> 'version')::int as versions,
    ${audited("'consent.consumed'")} as consumed,
    ${audited("'consent.approved', 'consent.declined'")} as decided,
    ${audited("'consent.expired', 'consent.voided'")} as ended
  from bff.consents c join bff.items i on i.id = c.item where c.id = $1`;
