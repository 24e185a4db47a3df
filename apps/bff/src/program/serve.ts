import { type Refusals, type Registry, isRefused } from "@eve/registry-schema";
import { buildApp } from "../app.ts";
import { type BffDatabase, type BffKeys, connectDatabase } from "../database/database.ts";
import type { Witness } from "../audit/guard.ts";
import type { Io } from "./io.ts";
import { refuse, refuseSetting } from "./refuse.ts";
import { followRegistry } from "./registry-file.ts";
import { judgeAudit, readWitness, watchAudit } from "./serve-audit.ts";
import {
  type Listen,
  databaseUrl,
  environmentId,
  keysFrom,
  listenOn,
  publicOrigin,
  refusalsOf,
} from "./settings.ts";

/** Longest wait for open requests when the service stops, in ms. */
const STOP_WAIT_MS = 10_000;

interface Settings {
  readonly url: string;
  readonly keys: BffKeys;
  readonly listen: Listen;
  readonly origin: string;
  readonly environment: string;
}

/**
 * Serves until it is told to stop. Refused at start, with every cause, exit 78: settings, keys, registry, a database
 * that does not answer or is not migrated, a registry older than one that it has seen, a database that lacks what its
 * newest audit checkpoint proves. Answers the exit code once stopped.
 */
export async function serve(io: Io): Promise<number> {
  const settings = readSettings(io.env);
  const registry = followRegistry(io.readRegistry);
  const first = registry();
  const causes = [...("url" in settings ? [] : settings), ...(first.ok ? [] : first.refusals)];
  if (isRefused(causes)) return refuse(causes, io);
  if (!("url" in settings) || !first.ok) throw new TypeError("a missing setting is refused");
  const { url, keys, listen, origin, environment } = settings;
  const witness = readWitness(io.env, environment, first);
  if (witness !== undefined && !("file" in witness)) return refuse(witness, io);
  const database = connectDatabase({ url, keys });
  const refusals = await judgeDatabase(database, environment, first.registry, witness);
  if (refusals) {
    await database.close();
    return refuse(refusals, io);
  }
  const audit = watchAudit(database, witness, registry);
  const app = await buildApp({
    database,
    registry,
    environment,
    publicOrigin: origin,
    auditRefusal: audit.refusal,
    log: (event) => io.stderr(`${JSON.stringify(event)}\n`),
  });
  const stopped = new Promise<number>((resolve) => {
    io.onStop(() => {
      audit.stop();
      setTimeout(() => resolve(1), STOP_WAIT_MS).unref();
      void app.close().then(() => resolve(0));
    });
  });
  const address = await app.listen(listen);
  io.stdout(`${JSON.stringify({ event: "bff.listening", address, publicOrigin: origin })}\n`);
  return stopped;
}

function readSettings(env: Io["env"]): Settings | Refusals {
  const url = databaseUrl(env, "DATABASE_URL");
  const keys = keysFrom(env);
  const listen = listenOn(env);
  const origin = publicOrigin(env);
  const environment = environmentId(env, "value" in origin ? origin.value : "");
  if (
    "value" in url &&
    "value" in keys &&
    "value" in listen &&
    "value" in origin &&
    "value" in environment
  )
    return {
      url: url.value,
      keys: keys.value,
      listen: listen.value,
      origin: origin.value,
      environment: environment.value,
    };
  const refusals = refusalsOf([url, keys, listen, origin, environment]);
  if (!isRefused(refusals)) throw new TypeError("a setting without a value has a refusal");
  return refusals;
}

async function judgeDatabase(
  database: BffDatabase,
  environment: string,
  { sequence, sha256 }: Registry,
  witness: Witness | undefined,
): Promise<Refusals | undefined> {
  const expected = "a migrated database, reached as the service's role";
  const unavailable = refuseSetting("service.unavailable", "DATABASE_URL", expected, "none");
  try {
    if (!(await database.ready())) return [unavailable];
    const remembered = await database.rememberRegistry(environment, sequence, sha256);
    if (remembered.ok) return await judgeAudit(database, witness);
    const highest = "the highest sequence that this environment has seen";
    return [refuseSetting(remembered.code, "registry.json", highest, `sequence ${sequence}`)];
  } catch {
    return [unavailable];
  }
}
