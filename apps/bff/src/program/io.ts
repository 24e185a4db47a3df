import type { RefusalEdge } from "./refuse.ts";
import type { ReadBytes } from "./registry-file.ts";

/** Everything the program takes from its process; `main.ts` alone makes a real one. */
export interface Io extends RefusalEdge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  /** Reads the registry beside the program. */
  readonly readRegistry: ReadBytes;
  /** Epoch ms. */
  readonly now: () => number;
  /** Calls back at each SIGTERM or SIGINT. */
  readonly onStop: (stop: () => void) => void;
}
