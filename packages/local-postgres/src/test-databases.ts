import { createHash, randomBytes } from "node:crypto";
import { Client } from "pg";
import {
  OWNER_ROLE,
  ownerAttributes,
  SEALER_ROLE,
  SERVICE_ROLE,
  serviceAttributes,
} from "./roles.ts";

/** What a test file needs to make databases of its own. */
export interface TestServer {
  readonly adminUrl: string;
  /** The migrated database that each new one is a copy of. */
  readonly template: string;
}

/** A database of one test file. */
export interface TestDatabase {
  /** For the service: the role `eve_service`. */
  readonly url: string;
  /** For set-up: the role `eve_owner`, which owns the database and what migrations made. */
  readonly ownerUrl: string;
  /** For what seals audit rows: the role `eve_sealer`. */
  readonly sealerUrl: string;
  /** Removes the database, open connections or not. */
  drop(): Promise<void>;
}

/** A database whose name its maker uses, as the template of others. */
export interface NamedDatabase extends TestDatabase {
  readonly name: string;
}

/** Any number, but the same for all that set up the roles of one server. */
const ROLES_LOCK = 4_092_001;

async function withAdmin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the owner's, the service's and the sealer's role. Runs at once on one server agree on the passwords, so all go on. */
export async function createRoles(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, async (client) => {
    await client.query("select pg_advisory_lock($1)", [ROLES_LOCK]);
    await createRole(client, OWNER_ROLE, ownerAttributes(passwordOf(adminUrl, OWNER_ROLE)));
    for (const role of [SERVICE_ROLE, SEALER_ROLE])
      await createRole(client, role, serviceAttributes(passwordOf(adminUrl, role)));
    // An administrator who is no superuser must belong to the role it gives databases to.
    await client.query(`GRANT ${OWNER_ROLE} TO current_user`);
  });
}

async function createRole(client: Client, role: string, attributes: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1", [role]);
  await client.query(`${rowCount === 0 ? "CREATE" : "ALTER"} ROLE ${role} ${attributes}`);
}

/** Derived from the administrator's own URL: who knows that needs no other password. */
function passwordOf(adminUrl: string, role: string): string {
  const { password, username } = new URL(adminUrl);
  return createHash("sha256").update(`${username}\0${password}\0${role}`).digest("base64url");
}

/** The URL of a role on a database of the server. */
function urlOf(adminUrl: string, role: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = passwordOf(adminUrl, role);
  url.pathname = `/${database}`;
  return url.href;
}

/** Makes an empty database of the owner's, or a copy of `template`. */
export async function createTestDatabase(
  adminUrl: string,
  template?: string,
): Promise<NamedDatabase> {
  const name = `eve_test_${randomBytes(6).toString("hex")}`;
  const source = template === undefined ? "template0" : `"${template}"`;
  await withAdmin(adminUrl, async (client) => {
    await client.query(`CREATE DATABASE "${name}" TEMPLATE ${source} OWNER ${OWNER_ROLE}`);
  });
  return {
    name,
    url: urlOf(adminUrl, SERVICE_ROLE, name),
    ownerUrl: urlOf(adminUrl, OWNER_ROLE, name),
    sealerUrl: urlOf(adminUrl, SEALER_ROLE, name),
    drop: () => withAdmin(adminUrl, (client) => dropDatabase(client, name)),
  };
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

/** The version that the server tells, such as `18.4`. */
export async function serverVersion(adminUrl: string): Promise<string> {
  return withAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    // Debian adds its own version in brackets.
    return rows[0]?.server_version.split(" ")[0] ?? "unknown";
  });
}
