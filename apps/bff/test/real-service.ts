import { createDatabase } from "@eve/local-postgres/vitest";
import type { Registry, RegistryResult } from "@eve/registry-schema";
import { formatInstant } from "@eve/registry-schema";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../src/app.ts";
import {
  type CredentialRequest,
  connectDatabase,
  deriveKeys,
  mintCredential,
} from "../src/database/database.ts";
import type { LogEvent } from "../src/http/log.ts";
import { ORIGIN, type RegistryChange, testRegistry } from "./test-registry.ts";

const DAY_MS = 86_400_000;
const SCOPES = ["workbench:read", "workbench:write", "workbench:publish"];

/** Who a credential of a test is for; an agent of tenant t1 where not said. */
export type Who = Partial<CredentialRequest>;

/** One more of several services. */
export interface Replica {
  readonly app: FastifyInstance;
  /** Takes the registry that the first one follows by now. */
  reload(): void;
}

/** The service over a PostgreSQL of the test file's own, on a loopback port. */
export interface RealService {
  readonly app: FastifyInstance;
  readonly origin: string;
  readonly ownerUrl: string;
  readonly events: readonly LogEvent[];
  mint(who?: Who): Promise<string>;
  /** Changes the registry that the service obeys; the sequence rises by itself. */
  follow(entry: NonNullable<RegistryChange["entry"]>): void;
  /** Another process's service over the same database, which goes on with the registry as it is now until it reloads. */
  replica(): Promise<Replica>;
  close(): Promise<void>;
}

/** Starts one with a registry that is good today. */
export async function startService(): Promise<RealService> {
  const database = await createDatabase();
  const keys = deriveKeys(new Uint8Array(32).fill(7));
  const events: LogEvent[] = [];
  const now = Date.now();
  let sequence = 1;
  let registry: Registry = testRegistry({ now, sequence });
  const build = (obeyed: () => Registry): Promise<FastifyInstance> =>
    buildApp({
      database: connectDatabase({ url: database.url, keys }),
      registry: (): RegistryResult => ({ ok: true, registry: obeyed() }),
      environment: "test",
      publicOrigin: ORIGIN,
      log: (event) => void events.push(event),
    });
  const app = await build(() => registry);
  const replicas: FastifyInstance[] = [];
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    app,
    origin,
    ownerUrl: database.ownerUrl,
    events,
    mint: (who) =>
      mintCredential(database.ownerUrl, keys, {
        class: "agent",
        realm: "local",
        principal: "team:a",
        actor: "agent:1",
        tenant: "t1",
        scopes: SCOPES,
        expiresAt: formatInstant(now + DAY_MS),
        ...who,
      }),
    follow: (entry) => {
      sequence += 1;
      registry = testRegistry({ now, sequence, entry });
    },
    replica: async () => {
      let own = registry;
      const replica = await build(() => own);
      replicas.push(replica);
      return {
        app: replica,
        reload: () => {
          own = registry;
        },
      };
    },
    close: async () => {
      await Promise.all([app, ...replicas].map((one) => one.close()));
      await database.drop();
    },
  };
}

/** An operator of tenant t1 that another person answers for. */
export const OPERATOR: Who = {
  class: "operator",
  actor: "op:1",
  principal: "person:b",
  scopes: [],
};
