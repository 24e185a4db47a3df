import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";
import type { Authorization } from "./authorization.ts";
import { startService } from "./service-process.ts";

/** The running reference peer. */
export interface Bellona {
  /** Its URL: the only audience of its tokens. */
  readonly resource: string;
  /** Resolves if it ends. */
  readonly ended: Promise<number>;
}

/** The path of every Bellona's resource. */
const PATH = "/mcp";

/** What Bellona's resource is in a run. */
export function bellonaResource({ places }: RunContext): string {
  return `${places.bellona}${PATH}`;
}

/** Starts the built Bellona, which takes the tokens of one issuer. */
export async function startBellona(
  { issuer, keySet }: Authorization,
  context: RunContext,
): Promise<Bellona> {
  const { workspace, folder, places } = context;
  const built = join(workspace.root, "packages/bellona-peer/dist/main.js");
  if (!existsSync(built)) throw new StepError("Bellona is not built. Run npm run build.");
  const program = join(folder, "bellona", "main.js");
  mkdirSync(dirname(program));
  copyFileSync(built, program);
  const keys = join(dirname(program), "jwks.json");
  writeFileSync(keys, JSON.stringify(keySet));
  const resource = bellonaResource(context);
  const { ended } = await startService(
    {
      name: "Bellona",
      program,
      args: [],
      settings: {
        BELLONA_RESOURCE: resource,
        BELLONA_ISSUER: issuer,
        BELLONA_JWKS_FILE: keys,
      },
      // RFC 9728, 3.1: the path of the resource follows the well-known part.
      readyAt: `${places.bellona}/.well-known/oauth-protected-resource${PATH}`,
      log: join(folder, "bellona.log"),
    },
    context,
  );
  return { resource, ended };
}
