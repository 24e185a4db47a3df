import { canonicalJson, framedDigest } from "@eve/canonical-json";
import {
  approvalMac,
  type ConsentBinding,
  bindingDigest,
  encodeBinding,
  REQUEST_LIFE_MS,
} from "@eve/consent-binding";
import { formatInstant, instantMs, parseInstant } from "@eve/registry-schema";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { approvalKey } from "../src/database/approval-key.ts";
import type { BffKeys, Caller } from "../src/database/database.ts";
import { consentSealPads } from "../src/database/row-seal.ts";
import { required } from "../test/database/store.ts";

/** As many of one actor may wait. */
const AT_ONCE = 30;

/** An approval that waits to be used, once. */
export interface Approval {
  readonly consentId: string;
  readonly itemId: string;
}

/** What all approvals of a run share. */
export interface Maker {
  /** A connection of the service's role. */
  readonly service: pg.Client;
  readonly keys: BffKeys;
  readonly agent: Caller;
  readonly operator: Caller;
  /** The binding of a request that the service itself has made, under the registry that it obeys. */
  readonly model: ConsentBinding;
}

/** Makes approvals through the functions that the service calls, many in one statement. */
export async function makeApprovals(maker: Maker, count: number): Promise<readonly Approval[]> {
  const { service, agent, operator } = maker;
  const { rows } = await service.query<{ id: string }>(
    "select bff.create_item($1, 't', '') -> 'value' ->> 'id' as id from generate_series(1, $2)",
    [operator.credentialId, count],
  );
  const items = rows.map(({ id }) => id);
  await allYes(service, "bff.claim_item($1, x)", [agent.credentialId, items]);
  await allYes(service, "bff.submit_change($1, x, 'Fixed', repeat('a', 64))", [
    agent.credentialId,
    items,
  ]);
  const approvals: Approval[] = [];
  for (let at = 0; at < count; at += AT_ONCE)
    approvals.push(...(await approveAll(maker, items.slice(at, at + AT_ONCE))));
  return approvals;
}

async function approveAll(
  { service, keys, agent, operator, model }: Maker,
  items: readonly string[],
): Promise<readonly Approval[]> {
  const now = await clock(service);
  const asked = items.map((itemId) => {
    const { consentId: _id, expiresAt: _end, ...rest } = model;
    const draft = {
      ...rest,
      arguments: { ...model.arguments, itemId },
      preview: { ...model.preview, itemId },
    };
    const consentId = randomUUID();
    const expiresAt = formatInstant(now + REQUEST_LIFE_MS);
    const binding = Buffer.from(encodeBinding({ ...draft, consentId, expiresAt }));
    const key = framedDigest("eve/consent-request/1", draft);
    return { itemId, consentId, binding, key, pads: consentSealPads(keys, consentId) };
  });
  await allYes(
    service,
    "bff.request_consent($1, x, ($3::text[])[n], ($4::bytea[])[n], ($5::bytea[])[n])",
    [
      agent.credentialId,
      asked.map(({ key }) => key),
      asked.map(({ itemId }) => itemId),
      asked.map(({ binding }) => binding),
      asked.map(({ pads }) => pads),
    ],
  );
  const at = formatInstant(await clock(service));
  const digests = asked.map(({ binding }) => bindingDigest(binding));
  await allYes(
    service,
    "bff.record_decision($1, x::uuid, 'approve', ($3::text[])[n], 'r', $4, ($5::text[])[n], ($6::bytea[])[n])",
    [
      operator.credentialId,
      asked.map(({ consentId }) => consentId),
      digests,
      at,
      asked.map(({ consentId }, n) =>
        approvalMac(approvalKey(keys, consentId), {
          digest: required(digests[n]),
          approver: operator.principal,
          at,
        }),
      ),
      asked.map(({ pads }) => pads),
    ],
  );
  return asked.map(({ consentId, itemId }) => ({ consentId, itemId }));
}

/** Calls a function for each x of the second value, in order, in one statement; each must answer ok. */
async function allYes(
  service: pg.Client,
  call: string,
  values: readonly [string, readonly string[], ...unknown[]],
): Promise<void> {
  const { rows } = await service.query<{ answer: { ok: boolean } }>(
    `select ${call} as answer from unnest($2::text[]) with ordinality as t(x, n) order by n`,
    [...values],
  );
  const refused = rows.find(({ answer }) => !answer.ok);
  if (refused) throw new Error(`${call}: ${JSON.stringify(refused.answer)}`);
}

async function clock(service: pg.Client): Promise<number> {
  const { rows } = await service.query<{ now: Date }>("select bff.clock() as now");
  return instantMs(required(parseInstant(formatInstant(required(rows[0]).now.getTime()))));
}

/** The registry that calls are judged under. */
export interface UnderRegistry {
  readonly environment: string;
  readonly sequence: number;
  readonly sha256: string;
}

/** Writes the inputs that the service would send, one row an approval, for pgbench to read by their number. */
export async function writeCalls(
  owner: pg.Client,
  keys: BffKeys,
  { environment, sequence, sha256 }: UnderRegistry,
  approvals: readonly Approval[],
): Promise<void> {
  await owner.query(CALLS);
  await owner.query("select set_config('eve.tenant', 'bench', false)");
  await owner.query(CALL, [
    environment,
    sequence,
    sha256,
    approvals.map(({ consentId }) => consentId),
    approvals.map(({ itemId }) => canonicalJson({ channel: "beta", itemId })),
    approvals.map(({ consentId }) => approvalKey(keys, consentId)),
    approvals.map(({ consentId }) => consentSealPads(keys, consentId)),
  ]);
  await owner.query("analyze bench_calls");
}

const CALLS = `
  drop table if exists bench_calls;
  create table bench_calls (n int primary key, fields text[], environment text, sequence bigint, sha256 text,
    low timestamptz, high timestamptz, consent uuid, integration text, tool text, arguments text, pins text, entry text,
    key bytea, pads bytea);
  grant select on bench_calls to eve_service`;

const CALL = `
  insert into bench_calls select n - 1, bff.credential_fields(k), $1, $2, $3, now() - interval '1 minute',
    now() + interval '1 hour', c.id, b ->> 'integration', b ->> 'tool', ($5::text[])[n], b ->> 'toolPins',
    b ->> 'entryDigest', ($6::bytea[])[n], ($7::bytea[])[n]
  from unnest($4::uuid[]) with ordinality as t(id, n) join bff.consents c on c.id = t.id
    join bff.credentials k on k.id = c.credential
    cross join lateral (select convert_from(c.binding, 'UTF8')::json as b) binding`;

/** The statement of one execution for pgbench: the very function that the service calls, with the very inputs. */
export const SCRIPT = `\\set i :i + 1
\\set n :client_id * :each + :i - 1
select bff.execute_at_once(fields, environment, sequence, sha256, low, high, consent, integration, tool, arguments,
  pins, entry, key, pads) from bench_calls where n = :n;
`;
