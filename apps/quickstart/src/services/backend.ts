import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { migrate } from "@eve/bff";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";
import { type Api, createApi } from "./api.ts";
import { backendKeys, type Credentials, mintCredentials } from "./credentials.ts";
import { type Audit, startSealer } from "./audit.ts";
import type { Database } from "./database.ts";
import { startService } from "./service-process.ts";

/** The running backend, as its two kinds of caller reach it. */
export interface Backend {
  readonly origin: string;
  readonly credentials: Credentials;
  readonly operator: Api;
  /** The agent's credential without the workbench between. */
  readonly agent: Api;
  /** Its sealed audit rows; none where no sealer's role was named. */
  readonly audit: Audit | undefined;
  readonly log: string;
  /** Resolves if it ends. */
  readonly ended: Promise<number>;
}

/** Starts the built backend on a database, beside a copy of the registry at `registry`, with new credentials. */
export async function startBackend(
  database: Database,
  registry: string,
  context: RunContext,
): Promise<Backend> {
  const { workspace, folder, kept, places, now } = context;
  const origin = places.backend;
  // Each start is a deployment of its own: its registry may be older than that of the last start.
  const environment = `quickstart-${randomUUID()}`;
  const built = join(workspace.root, "apps/bff/dist/main.js");
  if (!existsSync(built)) throw new StepError("The backend is not built. Run npm run build.");
  const program = join(folder, "backend", "main.js");
  mkdirSync(dirname(program));
  copyFileSync(built, program);
  copyFileSync(registry, join(dirname(program), "registry.json"));
  const { file, keys } = backendKeys(kept ?? folder);
  await migrate(database.ownerUrl);
  const credentials = await mintCredentials(database.ownerUrl, keys, folder, now);
  const sealerUrl = await database.sealerUrl();
  const audit =
    sealerUrl === undefined
      ? undefined
      : await startSealer(sealerUrl, environment, program, context);
  const log = join(folder, "backend.log");
  const { ended } = await startService(
    {
      name: "The backend",
      program,
      args: ["serve"],
      settings: {
        DATABASE_URL: database.url,
        EVE_BFF_KEY_FILE: file,
        EVE_BFF_LISTEN: origin.slice("http://".length),
        EVE_BFF_PUBLIC_ORIGIN: origin,
        EVE_BFF_ENVIRONMENT: environment,
        ...audit?.settings,
      },
      readyAt: `${origin}/readyz`,
      log,
    },
    context,
  );
  return {
    origin,
    credentials,
    operator: createApi(origin, credentials.operator.bearer),
    agent: createApi(origin, credentials.agent.bearer),
    audit,
    log,
    ended,
  };
}
