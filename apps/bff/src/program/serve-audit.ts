import { type Refusals, type RegistryResult, isRefused } from "@eve/registry-schema";
import { guardAudit, judgeAtStart, type AuditGuard, type Witness } from "../audit/guard.ts";
import type { BffDatabase } from "../database/database.ts";
import { isLive } from "../realm.ts";
import { checkpointsFile, publicKey } from "./audit-settings.ts";
import type { Io } from "./io.ts";
import { refuseSetting } from "./refuse.ts";
import { refusalsOf } from "./settings.ts";

/**
 * The checkpoints that the service holds its database against; undefined where none are named and the registry's entry
 * is not of production, where they are a must. One setting without the other is refused.
 */
export function readWitness(
  env: Io["env"],
  environment: string,
  registry: RegistryResult,
): Witness | undefined | Refusals {
  const names = ["EVE_BFF_AUDIT_CHECKPOINTS", "EVE_BFF_AUDIT_PUBLIC_KEY"];
  if (names.every((name) => (env[name]?.trim() ?? "") === "") && !isLive(registry))
    return undefined;
  const [file, key] = [checkpointsFile(env), publicKey(env)];
  if ("value" in file && "value" in key) return { file: file.value, key: key.value, environment };
  const refusals = refusalsOf([file, key]);
  if (!isRefused(refusals)) throw new TypeError("a setting without a value has a refusal");
  return refusals;
}

/** Why the database is not the one that the checkpoints were made of; undefined where it is. Rejects where it cannot tell. */
export async function judgeAudit(
  database: BffDatabase,
  witness: Witness | undefined,
): Promise<Refusals | undefined> {
  if (witness === undefined) return undefined;
  const code = await judgeAtStart(witness, (position) => database.holdsAuditLink(position));
  if (code === undefined) return undefined;
  return code === "audit.rolled_back"
    ? [
        refuseSetting(
          code,
          "DATABASE_URL",
          "the link of the newest checkpoint in the audit chain",
          "none, or another one",
        ),
      ]
    : [
        refuseSetting(
          code,
          "EVE_BFF_AUDIT_CHECKPOINTS",
          "checkpoints signed for this environment",
          "others, or none",
        ),
      ];
}

/**
 * Goes on judging while the service runs. Without checkpoints there is nothing to judge by: then an entry that becomes
 * one of production is refused from that moment on.
 */
export function watchAudit(
  database: BffDatabase,
  witness: Witness | undefined,
  registry: () => RegistryResult,
): AuditGuard {
  return witness === undefined
    ? {
        refusal: () => (isLive(registry()) ? "configuration.missing" : undefined),
        stop: () => undefined,
      }
    : guardAudit(witness, (position) => database.holdsAuditLink(position));
}
