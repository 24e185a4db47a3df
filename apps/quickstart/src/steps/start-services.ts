import { join } from "node:path";
import { launchProgram } from "@eve/registry-cli";
import type { RunContext } from "../run-context.ts";
import { type Agent, startAgent } from "../services/agent.ts";
import { type Authorization, startAuthorization } from "../services/authorization.ts";
import { type Backend, startBackend } from "../services/backend.ts";
import { type Bellona, bellonaResource, startBellona } from "../services/bellona.ts";
import { type Database, openDatabase } from "../services/database.ts";
import { type ItemReader, openItemReader } from "../services/item-reader.ts";
import type { LocalWorkbench } from "../local-workbench.ts";
import type { Shown, Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";

/** Everything that runs, as the later steps use it. */
export interface Running extends Shown {
  readonly context: RunContext;
  readonly local: LocalWorkbench;
  readonly backend: Backend;
  readonly agent: Agent;
  /** The second connection to the database. */
  readonly reader: ItemReader;
  readonly authorization: Authorization;
  readonly bellona: Bellona;
}

/** What needs no registry, and is started while the gate is shown. */
interface Prepared {
  readonly database: Database;
  readonly authorization: Authorization;
  readonly bellona: Bellona;
}

/** A resource that the authorization server knows and Bellona is not. */
export function otherResource(context: RunContext): string {
  return `${bellonaResource(context)}/other`;
}

/**
 * The step that starts the backend on its database and an agent on the admitted workbench. The database, Bellona and
 * its authorization server begin to start now; how that ends is told by the step.
 */
export function servicesStep(context: RunContext): Step<Admitted, Running> {
  const prepared = Promise.allSettled([openDatabase(context), startPeer(context)]);
  return {
    id: "services",
    doing: "Starting PostgreSQL, the backend and Bellona",
    run: async ({ local }) => {
      const { database, authorization, bellona } = requirePrepared(await prepared);
      const backend = await startBackend(database, local.registryFile, context);
      const [reader, agent] = await Promise.all([
        openItemReader(database.url),
        startAgent(launchFor(backend, local, context), context),
      ]);
      context.cleanup.add(() => reader.close());
      return {
        headline: `Running: the backend at ${backend.origin}, Bellona at ${bellona.resource}, ${database.about}`,
        context,
        local,
        backend,
        agent,
        reader,
        authorization,
        bellona,
      };
    },
  };
}

type Peer = Omit<Prepared, "database">;

function requirePrepared([database, peer]: readonly [
  PromiseSettledResult<Database>,
  PromiseSettledResult<Peer>,
]): Prepared {
  if (database.status === "rejected") throw database.reason;
  if (peer.status === "rejected") throw peer.reason;
  return { database: database.value, ...peer.value };
}

async function startPeer(context: RunContext): Promise<Peer> {
  const resources = [bellonaResource(context), otherResource(context)];
  const authorization = await startAuthorization(resources, context);
  return { authorization, bellona: await startBellona(authorization, context) };
}

/** The admitted program with the agent's own credential. */
function launchFor(
  { origin, credentials }: Backend,
  { entry, program }: LocalWorkbench,
  { env, folder }: RunContext,
): ReturnType<typeof launchProgram> {
  return launchProgram(
    entry,
    program,
    { ...env, XDG_STATE_HOME: join(folder, "state"), LOCALAPPDATA: join(folder, "state") },
    { OSHUN_WORKBENCH_URL: origin, OSHUN_WORKBENCH_TOKEN: credentials.agent.bearer },
  );
}
