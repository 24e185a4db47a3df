import type { RefusalCode, RegistryResult } from "@eve/registry-schema";
import type { BffDatabase } from "./database/database.ts";
import type { LogEvent } from "./http/log.ts";

/** Everything the HTTP service stands on; `main.ts` alone makes a real one. */
export interface AppOptions {
  readonly database: BffDatabase;
  /** The state of the service's own registry now. */
  readonly registry: () => RegistryResult;
  /** Whose highest registry the database remembers: one id a deployment. */
  readonly environment: string;
  /** Origin that people reach the decision page at. */
  readonly publicOrigin: string;
  /** Why nothing may be decided now, where the database is held against its audit checkpoints; never, where left out. */
  readonly auditRefusal?: () => RefusalCode | undefined;
  /** Takes one event a request and one a fault. No event holds a header, a body or an address. */
  readonly log?: (event: LogEvent) => void;
  /** Requests that one address (IPv6: one /64) may send; 1,200 a minute where not said. */
  readonly rateLimit?: { readonly max: number; readonly windowMs: number };
}
