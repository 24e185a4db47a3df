import type { RefusalCode } from "@eve/registry-schema";
import type { Trust } from "./checkpoint.ts";
import { type CheckpointsFault, readCheckpoints, readNewest } from "./checkpoint-file.ts";
import type { Position } from "./link.ts";

/** The checkpoints that a service holds its database against. */
export interface Witness extends Trust {
  readonly file: string;
}

/** Whether the database's chain has this link at this place; rejects where it cannot tell. */
export type HoldsLink = (position: Position) => Promise<boolean>;

/** The judgement of a database that is held against its checkpoints, as it was a moment ago. */
export interface AuditGuard {
  /** Why nothing may be decided on this database; undefined while it has what was signed. */
  readonly refusal: () => RefusalCode | undefined;
  readonly stop: () => void;
}

const EVERY_MS = 1_000;

/** Why these checkpoints or this database are not to be relied on, after reading every checkpoint; rejects where the database cannot tell. */
export async function judgeAtStart(
  witness: Witness,
  holds: HoldsLink,
): Promise<RefusalCode | undefined> {
  const checkpoints = readCheckpoints(witness.file, witness);
  if (!checkpoints.ok) return codeOfFault(checkpoints.fault);
  return (await holds(checkpoints.newest)) ? undefined : "audit.rolled_back";
}

/**
 * Judges again each second, since a database can be restored or fail over to a copy that lags beneath a service that
 * runs. Once rolled back it stays so until the service is started again; any other trouble refuses until it is over.
 */
export function guardAudit(witness: Witness, holds: HoldsLink): AuditGuard {
  let refusal: RefusalCode | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const round = async (): Promise<void> => {
    refusal = await judgeNewest(witness, holds);
    if (refusal !== "audit.rolled_back" && !isStopped) plan();
  };
  const plan = (): void => {
    timer = setTimeout(() => void round(), EVERY_MS).unref();
  };
  plan();
  return {
    refusal: () => refusal,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function judgeNewest(witness: Witness, holds: HoldsLink): Promise<RefusalCode | undefined> {
  const newest = readNewest(witness.file, witness);
  if (typeof newest === "string") return codeOfFault(newest);
  try {
    return (await holds(newest)) ? undefined : "audit.rolled_back";
  } catch {
    return "service.unavailable";
  }
}

/** The code of checkpoints that say nothing, or say it for somebody else. */
export function codeOfFault(fault: CheckpointsFault): RefusalCode {
  return fault === "signature_invalid" || fault === "other_environment"
    ? "audit.checkpoint_untrusted"
    : "audit.checkpoint_unreadable";
}
