import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type LocalPostgres,
  LocalPostgresError,
  reachableFolder,
  startLocalPostgres,
} from "@eve/local-postgres";
import pg from "pg";
import type { RunContext } from "../run-context.ts";

/** A PostgreSQL for the backend. */
export interface Database {
  /** For the service's role. */
  readonly url: string;
  /** For the owner's role: migrations and credentials. */
  readonly ownerUrl: string;
  /** For the sealer's role, which is there once it is migrated; none where nobody named one. */
  readonly sealerUrl: () => Promise<string | undefined>;
  /** What a person should know of it. */
  readonly about: string;
}

const NAME = "eve";
const SEALER = "eve_sealer";

/**
 * The PostgreSQL that DATABASE_URL and DATABASE_OWNER_URL name, if both are set; else one of this machine: the kept one,
 * or where there is none or another run holds it, one that is gone afterwards. Rejects with LocalPostgresError.
 */
export async function openDatabase({
  env,
  kept,
  cleanup,
}: Pick<RunContext, "env" | "kept" | "cleanup">): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = env;
  if (url && ownerUrl)
    return {
      url,
      ownerUrl,
      sealerUrl: () => Promise.resolve(env["DATABASE_SEALER_URL"] || undefined),
      about: "the PostgreSQL that DATABASE_URL names",
    };
  const server = await startServer(kept);
  cleanup.add(() => server.stop());
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    sealerUrl: () => openSealer(server.ownerUrl),
    about: `PostgreSQL with its data in ${server.folder}`,
  };
}

/** Lets the sealer's role of a server of this machine connect, with a password of this run alone. */
async function openSealer(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`alter role ${SEALER} login password '${password}'`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(ownerUrl), { username: SEALER, password }).href;
}

async function startServer(kept: string | undefined): Promise<LocalPostgres> {
  if (kept === undefined) return startLocalPostgres({ durable: false, database: NAME });
  try {
    mkdirSync(kept, { recursive: true });
    const folder = reachableFolder(join(kept, "postgres"));
    return await startLocalPostgres({ folder, durable: true, database: NAME });
  } catch (error) {
    if (!(error instanceof LocalPostgresError) || error.code !== "folder.in_use") throw error;
    return startLocalPostgres({ durable: false, database: NAME });
  }
}
