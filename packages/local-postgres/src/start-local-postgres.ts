import { rmSync } from "node:fs";
import { type ClusterPlace, openCluster } from "./cluster.ts";
import { databaseFolder, temporaryFolder } from "./database-folder.ts";
import { databaseUser } from "./database-user.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { nativeBinaries } from "./native-binaries.ts";
import { ADMIN_ROLE, OWNER_ROLE, SERVICE_ROLE } from "./roles.ts";
import { startServer } from "./server.ts";

/** How to start a PostgreSQL on this machine. */
export interface LocalPostgresOptions {
  /** The folder that keeps the database; without it a temporary one, removed at the end. */
  readonly folder?: string;
  /** Whether what was committed survives a power cut (fsync). */
  readonly durable: boolean;
  /** The database's name: lower-case letters, digits and `_`. */
  readonly database: string;
}

/** A PostgreSQL of this process, on 127.0.0.1 alone. It ends with {@link stop}, or with this process however that ends. */
export interface LocalPostgres {
  /** For the service: the role `eve_service`, which has no rights but those that migrations grant it. */
  readonly url: string;
  /** For migrations: the role `eve_owner`, which owns the database. */
  readonly ownerUrl: string;
  /** The superuser: for set-up and tests alone. */
  readonly adminUrl: string;
  /** The folder of the database, by its real path. */
  readonly folder: string;
  /** The process id of PostgreSQL. */
  readonly pid: number;
  /** Ends connections, stops PostgreSQL and waits until it has ended. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL: about 2 s with a new folder, under 200 ms with an old one. Each URL has a random password,
 * kept in the folder in a file of mode 0600. Rejects with {@link LocalPostgresError}.
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { durable, database } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(database))
    throw new LocalPostgresError("database.name_invalid", `${database} is no name for a database`);
  const user = databaseUser();
  const binaries = nativeBinaries(user);
  if (options.folder !== undefined)
    return start({
      folder: databaseFolder(options.folder, user),
      binaries,
      user,
      database,
      durable,
    });
  const folder = temporaryFolder(user);
  try {
    return await start({ folder, binaries, user, database, durable }, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function start(place: ClusterPlace, remove?: string): Promise<LocalPostgres> {
  const cluster = await openCluster(place);
  const { port, process } = await startServer(cluster, place, remove);
  const { admin, owner, service } = cluster.secrets;
  const urlOf = (role: string, password: string): string =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${place.database}`;
  return {
    url: urlOf(SERVICE_ROLE, service),
    ownerUrl: urlOf(OWNER_ROLE, owner),
    adminUrl: urlOf(ADMIN_ROLE, admin),
    folder: place.folder,
    pid: process.pid,
    stop: async () => {
      await process.stop();
      if (remove !== undefined) rmSync(remove, { recursive: true, force: true });
    },
  };
}
