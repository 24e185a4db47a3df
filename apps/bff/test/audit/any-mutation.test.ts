import { readFileSync } from "node:fs";
import { propertyRuns } from "@eve/config/property-runs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Checkpoint } from "../../src/audit/checkpoint.ts";
import { readCheckpoints } from "../../src/audit/checkpoint-file.ts";
import { parsePublicKey } from "../../src/audit/signing-keys.ts";
import { verifyChain } from "../../src/audit/verify-chain.ts";
import {
  ENVIRONMENT,
  type SealedDatabase,
  sealedDatabase,
  unguarded,
  well,
} from "./sealed-database.ts";

const ROWS = 12;
let sealed: SealedDatabase;
let checkpoints: readonly Checkpoint[];
beforeAll(async () => {
  sealed = await sealedDatabase();
  for (let batch = 0; batch < 3; batch += 1) {
    await sealed.write(ROWS / 3, batch === 1 ? "globex" : "acme");
    await well(sealed.audit(["seal", "--once"]));
  }
  const key = parsePublicKey(readFileSync(sealed.env["EVE_BFF_AUDIT_PUBLIC_KEY"] ?? ""));
  if (key === undefined) throw new Error("no key");
  const read = readCheckpoints(sealed.checkpoints, { key, environment: ENVIRONMENT });
  if (!read.ok) throw new Error(read.fault);
  checkpoints = read.all;
});
afterAll(() => sealed[Symbol.asyncDispose]());

const seq = fc.integer({ min: 1, max: ROWS });
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/);
const digest = fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `'\\x${hex}'`);
const row = (at: number): string => `(select row_id from bff.audit_chain where seq = ${at})`;

const editedRow = fc
  .tuple(
    seq,
    fc.oneof(
      fc.tuple(fc.constantFrom("tenant", "actor", "principal"), name),
      fc.tuple(fc.constantFrom("action", "subject", "code"), fc.string({ maxLength: 40 })),
    ),
  )
  .filter(([, [, text]]) => !text.includes("\u0000") && text.isWellFormed())
  .map(
    ([at, [column, text]]) =>
      `update bff.audit set ${column} = ${quoted(text)} where id = ${row(at)}`,
  );
const editedTime = fc
  .tuple(
    seq,
    fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).filter((us) => us !== 0),
  )
  .map(
    ([at, us]) =>
      `update bff.audit set at = at + interval '${us} microseconds' where id = ${row(at)}`,
  );
const editedDetail = fc
  .tuple(seq, fc.dictionary(name, fc.oneof(name, fc.integer(), fc.constant(null))))
  .map(
    ([at, detail]) =>
      `update bff.audit set detail = ${quoted(JSON.stringify(detail))} where id = ${row(at)}`,
  );
const editedCredential = fc
  .tuple(seq, fc.uuid())
  .map(([at, id]) => `update bff.audit set credential = '${id}' where id = ${row(at)}`);
const editedLink = fc
  .tuple(seq, fc.constantFrom("row_digest", "previous", "link"), digest)
  .map(
    ([at, column, bytes]) => `update bff.audit_chain set ${column} = ${bytes} where seq = ${at}`,
  );
const movedLink = fc
  .tuple(seq, fc.integer({ min: ROWS + 1, max: 1_000_000 }), fc.constantFrom("seq", "row_id"))
  .map(([at, to, column]) => `update bff.audit_chain set ${column} = ${to} where seq = ${at}`);
const swapped = fc
  .tuple(seq, seq)
  .filter(([one, other]) => one !== other)
  .map(
    ([one, other]) => `update bff.audit_chain set seq = -1 where seq = ${one};
      update bff.audit_chain set seq = ${one} where seq = ${other};
      update bff.audit_chain set seq = ${other} where seq = -1`,
  );
const removed = fc
  .tuple(seq, fc.constantFrom("row", "link"))
  .map(([at, what]) =>
    what === "row"
      ? `delete from bff.audit where id = ${row(at)}`
      : `delete from bff.audit_chain where seq = ${at}`,
  );
const cut = seq.map(
  (
    at,
  ) => `delete from bff.audit where id in (select row_id from bff.audit_chain where seq >= ${at});
    delete from bff.audit_chain where seq >= ${at}`,
);

function quoted(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

async function stateOf(): Promise<string> {
  const { rows } = await sealed.owner.query<{ state: string }>(
    `select coalesce((select string_agg(a::text, '|' order by id) from bff.audit a), '')
      || coalesce((select string_agg(c::text, '|' order by seq) from bff.audit_chain c), '') as state`,
  );
  return rows[0]?.state ?? "";
}

test("any single change of a sealed row or a link is found, and nothing is found where nothing changed", async () => {
  const { owner } = sealed;
  const change = fc.oneof(
    editedRow,
    editedTime,
    editedDetail,
    editedCredential,
    editedLink,
    movedLink,
    swapped,
    removed,
    cut,
  );
  await owner.query("begin");
  await unguarded(owner, async () => {
    await owner.query("alter table bff.audit_chain drop constraint audit_chain_seq_check");
    const before = await stateOf();
    expect((await verifyChain(owner, { checkpoints })).finding).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(change, async (text) => {
        await owner.query("savepoint one");
        await owner.query(text);
        const isChanged = (await stateOf()) !== before;
        const { finding } = await verifyChain(owner, { checkpoints });
        await owner.query("rollback to savepoint one");
        expect(finding !== undefined).toBe(isChanged);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
  await owner.query("rollback");
});
