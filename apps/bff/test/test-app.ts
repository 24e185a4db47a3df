import type { FastifyInstance } from "fastify";
import type { RefusalCode, RegistryResult } from "@eve/registry-schema";
import { buildApp } from "../src/app.ts";
import type { BffDatabase, Caller } from "../src/database/database.ts";
import type { LogEvent } from "../src/http/log.ts";
import { ORIGIN, testRegistry } from "./test-registry.ts";

/** The moment of the tests that have no database, in epoch ms. */
export const NOW: number = Date.parse("2026-12-01T12:00:00Z");
/** Secrets that must be in no answer and no log. */
export const AGENT_BEARER = `eve_local_agent_${"CANARYagent".padEnd(42, "0")}A`;
export const SHARED_BEARER = `eve_local_shared_${"CANARYshared".padEnd(42, "0")}A`;
export const OPERATOR_BEARER = `eve_local_operator_${"CANARYoperator".padEnd(42, "0")}A`;
export const LIVE_BEARER = `eve_live_agent_${"CANARYlive".padEnd(42, "0")}A`;

const SCOPES = ["workbench:read", "workbench:write", "workbench:publish"];
const AGENT: Caller = {
  credentialId: "11111111-1111-4111-8111-111111111111",
  class: "agent",
  realm: "local",
  principal: "team:a",
  actor: "agent:1",
  tenant: "t1",
  scopes: SCOPES,
};
const CALLERS: ReadonlyMap<string, Caller> = new Map<string, Caller>([
  [AGENT_BEARER, AGENT],
  [SHARED_BEARER, { ...AGENT, class: "shared", actor: "shared:t1" }],
  [
    OPERATOR_BEARER,
    { ...AGENT, class: "operator", actor: "op:1", principal: "person:b", scopes: [] },
  ],
  [LIVE_BEARER, { ...AGENT, realm: "live" }],
]);

/** A service whose database is a stand-in: for what the HTTP half decides by itself. */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly events: readonly LogEvent[];
  /** Names of the methods of the database that were called, but the clock, the credential and the registry. */
  readonly asked: readonly string[];
}

/** What a test replaces. */
export interface TestAppOptions {
  readonly database?: Partial<BffDatabase>;
  readonly registry?: () => RegistryResult;
  readonly rateLimit?: { readonly max: number; readonly windowMs: number };
  readonly auditRefusal?: () => RefusalCode | undefined;
}

/** Builds one. Every method of the database that a test does not give refuses `service.unavailable`. */
export async function testApp({
  database = {},
  registry,
  rateLimit,
  auditRefusal,
}: TestAppOptions = {}): Promise<TestApp> {
  const events: LogEvent[] = [];
  const asked: string[] = [];
  const good: RegistryResult = { ok: true, registry: testRegistry({ now: NOW }) };
  const app = await buildApp({
    database: standIn(database, asked),
    registry: registry ?? ((): RegistryResult => good),
    environment: "test",
    publicOrigin: ORIGIN,
    log: (event) => void events.push(event),
    ...(rateLimit && { rateLimit }),
    ...(auditRefusal && { auditRefusal }),
  });
  return { app, events, asked };
}

/** The header that authenticates. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

function standIn(given: Partial<BffDatabase>, asked: string[]): BffDatabase {
  const no =
    (name: string) =>
    async (): Promise<{ readonly ok: false; readonly code: "service.unavailable" }> => {
      asked.push(name);
      return { ok: false, code: "service.unavailable" };
    };
  return {
    authenticate: async (token) => {
      const caller = CALLERS.get(token);
      return caller ? { ok: true, value: caller } : { ok: false, code: "auth.token_invalid" };
    },
    recall: () => undefined,
    executeAtOnce: async () => undefined,
    voidConsent: no("voidConsent"),
    now: async () => NOW,
    rememberRegistry: async () => ({ ok: true, value: undefined }),
    listItems: no("listItems"),
    getItem: no("getItem"),
    claimItem: no("claimItem"),
    addNote: no("addNote"),
    submitChange: no("submitChange"),
    createItem: no("createItem"),
    requestConsent: no("requestConsent"),
    findConsent: no("findConsent"),
    decideConsent: no("decideConsent"),
    executeConsent: no("executeConsent"),
    holdsAuditLink: async () => true,
    ready: async () => true,
    close: async () => {},
    ...given,
  };
}
