import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, ClusterPlace } from "./cluster.ts";
import { freePort } from "./free-port.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { isPostgres, type Postmaster, readPostmaster } from "./postmaster-file.ts";
import { serverEnvironment } from "./server-environment.ts";
import { startWatched, type WatchedProcess } from "./watched-process.ts";

const POLL_MS = 5;
const READY_MS = 120_000;
const STOPPING_MS = 20_000;
/** How long a server whose starter has just died may take to notice. */
const NOTICE_MS = 2000;
const TRIES = 20;
const RETRY_MS = 100;

/** A PostgreSQL that takes connections on 127.0.0.1. */
export interface Server {
  readonly port: number;
  readonly process: WatchedProcess;
}

/**
 * Starts PostgreSQL on a cluster and waits until it takes connections. Its own `postmaster.pid` is the lock: one
 * server a folder, `folder.in_use`. Rejects with `server.failed` and the end of its log otherwise.
 */
export async function startServer(
  cluster: Cluster,
  place: ClusterPlace,
  remove: string | undefined,
): Promise<Server> {
  await waitUntilFree(cluster, place);
  const env = serverEnvironment(process.env);
  for (let attempt = 1; ; attempt += 1) {
    const logged = existsSync(cluster.log) ? statSync(cluster.log).size : 0;
    const port = await freePort();
    const process = await startWatched({
      program: join(place.binaries.root, "bin", "postgres"),
      args: serverArguments(cluster.data, port, place.durable),
      user: place.user,
      env,
      cwd: dirname(cluster.data),
      log: cluster.log,
      remove,
    });
    if (await isReady(cluster.data, process)) return { port, process };
    const said = readFileSync(cluster.log).subarray(logged).toString("utf8");
    if (!isPassing(said) || attempt === TRIES) throw startFault(cluster, place, said);
    await sleep(RETRY_MS);
  }
}

/** Another program took the port first, or what is left of a server that was killed has not ended yet. */
function isPassing(said: string): boolean {
  return said.includes("could not bind") || said.includes("pre-existing shared memory block");
}

function serverArguments(data: string, port: number, durable: boolean): readonly string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable
      ? { fsync: "on", synchronous_commit: "on", full_page_writes: "on" }
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", data, "-p", String(port), ...flags];
}

async function isReady(data: string, server: WatchedProcess): Promise<boolean> {
  for (const start = performance.now(); performance.now() - start < READY_MS;) {
    if (server.hasEnded()) return false;
    const told = readPostmaster(data);
    if (told?.pid === server.pid && told.status === "ready") return true;
    await sleep(POLL_MS);
  }
  await server.stop();
  return false;
}

/** A server that is stopping, or whose starter has just died, is waited for; one that runs is not. */
async function waitUntilFree({ data }: Cluster, { folder }: ClusterPlace): Promise<void> {
  for (const start = performance.now(); ; await sleep(POLL_MS)) {
    const holder = readPostmaster(data);
    if (holder === undefined || !isPostgres(holder.pid)) return;
    const patience = holder.status === "stopping" ? STOPPING_MS : NOTICE_MS;
    if (performance.now() - start > patience) throw inUse(folder, holder);
  }
}

function startFault(
  { data, log }: Cluster,
  { folder }: ClusterPlace,
  said: string,
): LocalPostgresError {
  const holder = readPostmaster(data);
  if (said.includes('lock file "postmaster.pid" already exists') && holder !== undefined)
    return inUse(folder, holder);
  return new LocalPostgresError(
    "server.failed",
    `PostgreSQL did not start; its log ${log} ends:\n${said.trim().slice(-1500)}\n`,
  );
}

function inUse(folder: string, { pid, port }: Postmaster): LocalPostgresError {
  return new LocalPostgresError(
    "folder.in_use",
    `${folder} is in use by the PostgreSQL with process id ${pid} on port ${port}: stop the program that started it, or use another folder`,
  );
}
