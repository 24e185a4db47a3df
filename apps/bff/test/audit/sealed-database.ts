import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type TestDatabase } from "@eve/local-postgres/vitest";
import type pg from "pg";
import { runCli } from "../../src/program/cli.ts";
import { open } from "../database/store.ts";
import { testIo } from "../program/program-io.ts";

/** What a command came to. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A migrated database with audit rows, the sealer's keys and its file of checkpoints, and the owner's hands behind it. */
export interface SealedDatabase extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly owner: pg.Client;
  readonly folder: string;
  readonly checkpoints: string;
  readonly env: Readonly<Record<string, string>>;
  /** `bff audit …`, with other settings where given. */
  readonly audit: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** Writes so many audit rows of a tenant in one transaction each. */
  readonly write: (rows: number, tenant?: string) => Promise<void>;
  /** Runs the owner's SQL past triggers, constraints and row level security, as somebody who has the database may. */
  readonly tamper: (text: string) => Promise<void>;
  readonly lines: () => readonly string[];
  /** Remembers rows, chain and checkpoints as they are. */
  readonly keep: () => Promise<void>;
  /** Brings back what {@link keep} remembered. */
  readonly restore: () => Promise<void>;
}

/** The environment id of the tests. */
export const ENVIRONMENT = "test-environment";

/** One audit row of a tenant. */
export const ROW = `insert into bff.audit (at, tenant, actor, principal, credential, action, subject, code, detail)
  values (bff.clock(), $1, 'agent:1', 'team:a', gen_random_uuid(), 'consent.consumed', 'consent-1', null,
    '{"itemId": "item-1", "version": 4}')`;

const TABLES = ["audit", "audit_chain"];
const OPEN = TABLES.flatMap((table) => [
  `alter table bff.${table} no force row level security`,
  `alter table bff.${table} disable trigger user`,
]);
const CLOSED = TABLES.flatMap((table) => [
  `alter table bff.${table} enable trigger user`,
  `alter table bff.${table} force row level security`,
]);

/** Opens everything to the owner, and shuts it again: what somebody does who wants nobody to see it. */
export async function unguarded(owner: pg.Client, work: () => Promise<void>): Promise<void> {
  for (const text of OPEN) await owner.query(text);
  await work();
  for (const text of CLOSED) await owner.query(text);
}

/** Makes one with its keys; `begins` where its file of checkpoints is to be there. */
export async function sealedDatabase({ begins = true } = {}): Promise<SealedDatabase> {
  const database = await createDatabase();
  const owner = await open(database.ownerUrl);
  const folder = mkdtempSync(join(tmpdir(), "eve-audit-"));
  const checkpoints = join(folder, "checkpoints.jsonl");
  const env = {
    DATABASE_SEALER_URL: database.sealerUrl,
    EVE_BFF_ENVIRONMENT: ENVIRONMENT,
    EVE_BFF_AUDIT_CHECKPOINTS: checkpoints,
    EVE_BFF_AUDIT_KEY_FILE: join(folder, "sealer.key"),
    EVE_BFF_AUDIT_PUBLIC_KEY: join(folder, "sealer.pub"),
  };
  const audit: SealedDatabase["audit"] = async (argv, changes = {}) => {
    const { io, out, err } = testIo({ ...env, ...changes });
    const code = await runCli(["audit", ...argv], io);
    return { code, out: out(), err: err() };
  };
  const keys = ["--key", env.EVE_BFF_AUDIT_KEY_FILE, "--public", env.EVE_BFF_AUDIT_PUBLIC_KEY];
  await well(audit(["keygen", ...keys]));
  if (begins) await well(audit(["begin"]));
  const tamper: SealedDatabase["tamper"] = async (text) => {
    await owner.query("begin");
    await unguarded(owner, async () => void (await owner.query(text)));
    await owner.query("commit");
  };
  return {
    database,
    owner,
    folder,
    checkpoints,
    env,
    audit,
    write: async (rows, tenant = "acme") => {
      for (let row = 0; row < rows; row += 1) {
        await owner.query("begin");
        await owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
        await owner.query(ROW, [tenant]);
        await owner.query("commit");
      }
    },
    tamper,
    lines: () => readFileSync(checkpoints, "utf8").trimEnd().split("\n"),
    keep: async () => {
      copyFileSync(checkpoints, `${checkpoints}.kept`);
      await tamper(
        TABLES.map((table) => `create temp table kept_${table} as table bff.${table}`).join(";"),
      );
    },
    restore: async () => {
      copyFileSync(`${checkpoints}.kept`, checkpoints);
      const texts = TABLES.map(
        (table) =>
          `delete from bff.${table}; insert into bff.${table} overriding system value table kept_${table}`,
      );
      await tamper(texts.join(";"));
    },
    [Symbol.asyncDispose]: async () => {
      await owner.end();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a command said, which must have gone well. */
export async function well(ran: Promise<Ran>): Promise<string> {
  const { code, out, err } = await ran;
  if (code !== 0) throw new Error(`exit ${code}: ${out}${err}`);
  return out;
}

/** The verdict of `bff audit verify --json`. */
export async function verdict(
  sealed: SealedDatabase,
  env?: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly told: Record<string, unknown> }> {
  const { code, out, err } = await sealed.audit(["verify", "--json"], env);
  if (out === "") throw new Error(err);
  return { code, told: JSON.parse(out) };
}
