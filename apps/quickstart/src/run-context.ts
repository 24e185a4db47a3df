import type { Workspace } from "@eve/registry-cli";
import type { Cleanup } from "./cleanup.ts";
import type { Places } from "./places.ts";

/** What every step may use of the world. */
export interface RunContext {
  readonly workspace: Workspace;
  /** Folder whose node_modules holds the third party's package. */
  readonly packages: string;
  /** Folder of this run; everything written lies in it, and whoever made it removes it. */
  readonly folder: string;
  /** Folder that keeps the database and its key from one start to the next; without it both are of this run. */
  readonly kept: string | undefined;
  /** Where the services listen. */
  readonly places: Places;
  /** Epoch ms, a whole second: what is dated now must not lie in the future of a child that truncates. */
  readonly now: number;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the run is given up: children end at once. */
  readonly signal: AbortSignal;
  /** Takes what a step began and what must end with the run. */
  readonly cleanup: Cleanup;
}
