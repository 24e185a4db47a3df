/**
 * Prints how many approvals a second are used over HTTP, by the built service as a process of its own, beside pgbench
 * that calls the same function of the same server with the same inputs, at 1, 8 and 32 clients. Run with `pnpm bench`;
 * it needs pgbench (Debian: `apt-get install postgresql-contrib`). It asserts that each approval had its one effect, and
 * no rate. Clients, service and server share the machine: on two cores the ratio tells what the service costs beside the
 * database's own work, and no machine's capacity.
 */
import { startLocalPostgres } from "@eve/local-postgres";
import { parseRegistry } from "@eve/registry-schema";
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  connectDatabase,
  type CredentialRequest,
  deriveKeys,
  migrate,
  mintCredential,
} from "../src/database/database.ts";
import { open, required, value } from "../test/database/store.ts";
import { registryBytes } from "../test/test-registry.ts";
import { type Approval, makeApprovals, SCRIPT, writeCalls } from "./approvals.ts";
import { startBff } from "./bff-process.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { steadyRate } from "./steady-rate.ts";

const LEVELS = [
  { clients: 1, each: 200 },
  { clients: 8, each: 120 },
  { clients: 32, each: 100 },
] as const;
const ROUNDS = Number(process.argv[2] ?? 4);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

if (spawnSync("pgbench", ["--version"]).status !== 0) {
  console.log("executions: not measured, there is no pgbench (apt-get install postgresql-contrib)");
  process.exit(0);
}

const environment = "bench";
const registry = registryBytes({ now: Date.now() });
const parsed = parseRegistry(registry);
if (!parsed.ok) throw new Error("the registry is refused");
const { sequence, sha256 } = parsed.registry;
const keyFile = randomBytes(32);
const keys = deriveKeys(keyFile);
const folder = mkdtempSync(join(tmpdir(), "bff-bench-"));
const script = join(folder, "execute.sql");
writeFileSync(script, SCRIPT);
// fsync on: what is measured is what a commit costs.
const server = await startLocalPostgres({ durable: true, database: "eve_bench" });
try {
  await migrate(server.ownerUrl);
  const [owner, service] = [await open(server.ownerUrl), await open(server.url)];
  const database = connectDatabase({ url: server.url, keys });
  const mint = (who: Pick<CredentialRequest, "class" | "principal" | "actor">): Promise<string> =>
    mintCredential(server.ownerUrl, keys, {
      ...who,
      realm: "local",
      tenant: "bench",
      scopes: ["workbench:read", "workbench:write", "workbench:publish"],
      expiresAt: new Date(Date.now() + 86_400_000),
    });
  const bearer = await mint({ class: "agent", principal: "a@eve.example", actor: "a" });
  const agent = value(await database.authenticate(bearer));
  const operator = value(
    await database.authenticate(
      await mint({ class: "operator", principal: "o@eve.example", actor: "o" }),
    ),
  );
  await using bff = await startBff({ url: server.url, keyFile, registry, environment });
  const head = `POST /v1/tools/workbench_ship_item/calls HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\n`;
  let addresses = 0;
  const connect = (): Promise<KeepAliveClient> => {
    addresses += 1;
    return KeepAliveClient.open(bff.port, `127.1.${addresses >> 8}.${addresses & 255}`, head);
  };
  /** What a request of the service binds. */
  const askedOnce = async (): Promise<Awaited<ReturnType<typeof database.findConsent>>> => {
    const { id: itemId } = value(
      await database.createItem(operator, { title: "t", description: "" }),
    );
    value(await database.claimItem(agent, itemId));
    value(await database.submitChange(agent, itemId, "Fixed", "a".repeat(64)));
    const client = await connect();
    const answer = await client.post(JSON.stringify({ arguments: { itemId, channel: "beta" } }));
    client.close();
    return database.findConsent(agent, required(/"consentId":"([^"]+)"/.exec(answer)?.[1]));
  };
  const model = value(await askedOnce()).binding;
  const make = (count: number): Promise<readonly Approval[]> =>
    makeApprovals({ service, keys, agent, operator, model }, count);

  /** Executions a second over HTTP. */
  const overHttp = async (clients: number, each: number): Promise<number> => {
    const approvals = await make(clients * each);
    const bodies = approvals.map(({ itemId, consentId }) =>
      JSON.stringify({ arguments: { itemId, channel: "beta" }, consentId }),
    );
    const connections = await Promise.all(Array.from({ length: clients }, connect));
    const ends: number[] = [];
    await Promise.all(
      connections.map(async (client, at) => {
        for (const body of bodies.slice(at * each, (at + 1) * each)) {
          const answer = await client.post(body);
          if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(answer);
          ends.push(performance.now());
        }
      }),
    );
    for (const client of connections) client.close();
    return steadyRate(ends);
  };

  /** Executions a second by pgbench. */
  const bare = async (clients: number, each: number): Promise<number> => {
    await writeCalls(owner, keys, { environment, sequence, sha256 }, await make(clients * each));
    const counts = ["-c", String(clients), "-j", String(Math.min(clients, 2)), "-t", String(each)];
    const variables = ["-D", "i=0", "-D", `each=${each}`, "-f", script];
    const log = ["--log", `--log-prefix=${join(folder, "log")}`];
    const options = ["-n", "-M", "prepared", ...counts, ...variables, ...log];
    await promisify(execFile)("pgbench", [...options, server.url]);
    const files = readdirSync(folder).filter((name) => name.startsWith("log"));
    const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
    for (const name of files) rmSync(join(folder, name));
    // Client, number, µs it took, script, and when it ended: s and µs.
    const ends = lines.filter((line) => line !== "").map((line) => line.split(" ").map(Number));
    return steadyRate(ends.map(([, , , , s = 0, us = 0]) => s * 1_000 + us / 1_000));
  };

  let used = 0;
  for (const { clients, each } of LEVELS) {
    const rounds: { readonly http: number; readonly sql: number }[] = [];
    // Side by side in each round, each first in turn: whatever else the machine does slows both. The first warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [one, other] = round % 2 === 0 ? [overHttp, bare] : [bare, overHttp];
      const rates = [await one(clients, each), await other(clients, each)] as const;
      const [http, sql] = round % 2 === 0 ? rates : [rates[1], rates[0]];
      rounds.push({ http, sql });
      used += 2 * clients * each;
    }
    const counted = rounds.slice(1);
    const title = `executions, ${clients} ${clients === 1 ? "client" : "clients"}:`;
    const http = median(counted.map((round) => round.http)).toFixed(0);
    const sql = median(counted.map((round) => round.sql)).toFixed(0);
    const ratio = median(counted.map((round) => round.http / round.sql)).toFixed(2);
    const goal = clients === 32 ? " (goal: at least 0.50)" : "";
    console.log(
      `${title.padEnd(24)} HTTP ${http.padStart(5)}/s  SQL ${sql.padStart(5)}/s  ratio ${ratio}${goal}`,
    );
  }
  await owner.query("select set_config('eve.tenant', 'bench', false)");
  const { rows } = await owner.query<{ effects: number }>(
    "select count(distinct consent)::int as effects from bff.history where consent is not null",
  );
  if (rows[0]?.effects !== used) throw new Error(`${used} approvals, ${rows[0]?.effects} effects`);
  await Promise.all([database.close(), owner.end(), service.end()]);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
