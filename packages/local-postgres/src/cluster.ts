import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type ClusterSecrets, newSecrets, readSecrets, writeSecrets } from "./cluster-secrets.ts";
import { handOver } from "./database-folder.ts";
import type { DatabaseUser } from "./database-user.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import type { NativeBinaries } from "./native-binaries.ts";
import { isAlive } from "./postmaster-file.ts";
import {
  ADMIN_ROLE,
  OWNER_ROLE,
  ownerAttributes,
  SERVICE_ROLE,
  serviceAttributes,
} from "./roles.ts";
import { runProgram } from "./run-program.ts";

/** Where to make or find a cluster, and as whom. */
export interface ClusterPlace {
  readonly folder: string;
  readonly binaries: NativeBinaries;
  readonly user: DatabaseUser;
  readonly database: string;
  /** Whether what is written must survive a power cut. */
  readonly durable: boolean;
}

/** A folder with PostgreSQL's data. */
export interface Cluster {
  readonly data: string;
  readonly log: string;
  readonly secrets: ClusterSecrets;
}

const UNFINISHED = /^\.new-(\d+)-/;

/**
 * The cluster in the folder, made first where there is none. It gets its name when it is whole: of two that make one
 * at once the first wins, and the other takes the winner's. Rejects with `folder.other_version`,
 * `folder.other_database`, `folder.incomplete`, `cluster.failed`.
 */
export async function openCluster(place: ClusterPlace): Promise<Cluster> {
  const root = join(place.folder, "cluster");
  if (!existsSync(root)) await createCluster(place, root);
  const data = join(root, "data");
  const secrets = readSecrets(join(root, "passwords.json"));
  requireVersion(data, place);
  if (secrets.database !== place.database)
    throw new LocalPostgresError(
      "folder.other_database",
      `${place.folder} holds the database ${secrets.database}, not ${place.database}`,
    );
  return { data, log: join(root, "postgres.log"), secrets };
}

function requireVersion(data: string, { folder, binaries }: ClusterPlace): void {
  const version = Number.parseInt(readFileSync(join(data, "PG_VERSION"), "utf8"), 10);
  if (version === binaries.major) return;
  throw new LocalPostgresError(
    "folder.other_version",
    `${folder} was made by PostgreSQL ${version}, and this is ${binaries.major}: dump and restore it, or move it away`,
  );
}

async function createCluster(place: ClusterPlace, root: string): Promise<void> {
  removeUnfinished(place.folder);
  const unfinished = mkdtempSync(join(place.folder, `.new-${process.pid}-`));
  try {
    await fillCluster(place, unfinished);
    rename(unfinished, root);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What a start left that was killed while it made a cluster. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const maker = UNFINISHED.exec(name)?.[1];
    if (maker !== undefined && !isAlive(Number(maker)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function rename(unfinished: string, root: string): void {
  try {
    renameSync(unfinished, root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  }
}

async function fillCluster(place: ClusterPlace, root: string): Promise<void> {
  const { binaries, user } = place;
  const secrets = newSecrets(place.database);
  const data = join(root, "data");
  const passwords = join(root, "passwords.json");
  const initial = join(root, "initial-password");
  writeSecrets(passwords, secrets);
  writeFileSync(initial, `${secrets.admin}\n`, { mode: 0o600 });
  for (const path of [root, passwords, initial]) handOver(path, user);
  const program = (name: string): string => join(binaries.root, "bin", name);
  await runProgram(program("initdb"), initArguments(data, initial, place.durable), user, root);
  rmSync(initial);
  const single = ["--single", "-j", "-D", data, "-c", "exit_on_error=on", "postgres"];
  await runProgram(program("postgres"), single, user, root, initialStatements(secrets));
}

/** One locale everywhere: UTF-8 in code point order, from PostgreSQL itself and not from the system. */
function initArguments(data: string, passwordFile: string, durable: boolean): readonly string[] {
  return [
    "-D",
    data,
    `--username=${ADMIN_ROLE}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
}

function initialStatements({ database, owner, service }: ClusterSecrets): string {
  return [
    `CREATE ROLE ${OWNER_ROLE} ${ownerAttributes(owner)}`,
    `CREATE ROLE ${SERVICE_ROLE} ${serviceAttributes(service)}`,
    `CREATE DATABASE "${database}" OWNER ${OWNER_ROLE}`,
  ]
    .map((statement) => `${statement};\n\n`)
    .join("");
}
