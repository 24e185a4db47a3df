import type { RegistryResult } from "@eve/registry-schema";
import type { Caller } from "./database/database.ts";
import { type Result, fail, succeed } from "./failure.ts";
import { INTEGRATION } from "./identity.ts";

/** Whether the workbench's entry is of production. */
export function isLive(registry: RegistryResult): boolean {
  const record = registry.ok ? registry.registry.integrations.get(INTEGRATION) : undefined;
  return record?.status === "complete" && record.entry.deployment === "production";
}

/** The caller, if its realm is the one of the entry's deployment; `credential.realm_mismatch`, or why there is no entry. */
export function judgeRealm(registry: RegistryResult, caller: Caller): Result<Caller> {
  if (!registry.ok) return fail(registry.refusals[0].code);
  const record = registry.registry.integrations.get(INTEGRATION);
  if (record === undefined) return fail("entry.absent");
  if (record.status === "faulty") return fail(record.refusals[0].code);
  const realm = record.entry.deployment === "production" ? "live" : "local";
  return caller.realm === realm ? succeed(caller) : fail("credential.realm_mismatch");
}
