import { inheritedEnvironment } from "@eve/mcp-guard";
import { REGISTRY_CLI } from "./repository.ts";
import { type Ended, runToEnd } from "./run.ts";

/** Where a command line runs. */
export interface Place {
  readonly cwd: string;
  /** The caller's own where it is left out. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built `eve-registry` with a closed stdin. */
export function runRegistryCli(args: readonly string[], { cwd, env }: Place): Promise<Ended> {
  const launch = {
    command: process.execPath,
    args: [REGISTRY_CLI, ...args],
    cwd,
    env: env ?? inheritedEnvironment(process.env),
  };
  return runToEnd(launch, { closes: true });
}
