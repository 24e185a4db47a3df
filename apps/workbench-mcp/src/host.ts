import type { Readable } from "node:stream";
import type { Standing } from "@eve/trust-admission";
import type { Settings } from "./credential.ts";
import type { RefusalEdge } from "./refuse-at-start.ts";
import type { ReadBytes } from "./registry-file.ts";
import type { RuntimeFacts } from "./runtime.ts";

/** Everything the program takes from its process; main.ts alone makes a real one. */
export interface Host extends RefusalEdge {
  readonly stdin: Readable;
  readonly runtime: RuntimeFacts;
  readonly settings: Settings;
  /** Observes the program itself; may throw. */
  readonly observeSelf: () => Standing;
  readonly readRegistry: ReadBytes;
  readonly fetch: typeof fetch;
  /** Epoch ms. */
  readonly now: () => number;
}
