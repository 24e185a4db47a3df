import type { KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Refusals, isRefused } from "@eve/registry-schema";
import { beginCheckpoints } from "../audit/checkpoint-file.ts";
import { codeOfFault } from "../audit/guard.ts";
import {
  checkpointAt,
  MAX_ROWS,
  type Reach,
  type Seal,
  type Sealed,
  sealRound,
} from "../audit/seal.ts";
import { type SealerClient, withSealer } from "../audit/sealer-client.ts";
import { publicKeyOf } from "../audit/signing-keys.ts";
import { verifyChain } from "../audit/verify-chain.ts";
import { faultOf } from "./fault.ts";
import { codeOfFinding, tellFinding } from "./audit-words.ts";
import { checkpointsFile, sealedEnvironment, signingKey } from "./audit-settings.ts";
import type { Io } from "./io.ts";
import { reached } from "./reached.ts";
import { refuse, refuseSetting } from "./refuse.ts";
import { databaseUrl, refusalsOf, type Setting } from "./settings.ts";

/** Longest wait between two rounds that find nothing to do, in ms. */
const IDLE_MS = 500;
const RETRY_MS = 1_000;
/** How often a round looks at all rows, in ms. */
const LOOK_AT_ALL_MS = 600_000;

interface SealSettings {
  readonly url: string;
  readonly seal: Seal;
}

/** Begins a file of checkpoints with the chain as it is now, all of it verified; never over a file that is there. */
export async function beginCheckpointFile(io: Io): Promise<number> {
  const settings = readSettings(io);
  if (!("seal" in settings)) return refuse(settings, io);
  const { url, seal } = settings;
  const report = await reached(io, () => withSealer(url, (client) => verifyChain(client)));
  if (typeof report === "number") return report;
  if (report.finding !== undefined) return refuseFinding(report.finding, io);
  const first = checkpointAt(report.head, seal);
  beginCheckpoints(seal.file, first, seal.secret);
  io.stdout(`${JSON.stringify({ event: "bff.audit_begun", seq: first.seq, at: first.at })}\n`);
  return 0;
}

/**
 * Seals until it is told to stop; with `once`, until nothing is left. A database that is away is tried again. Checkpoints
 * that say nothing, and a chain that is not as it was signed, end it with exit 78: nothing more is signed.
 */
export async function keepSealing(flags: { readonly once?: boolean }, io: Io): Promise<number> {
  const settings = readSettings(io);
  if (!("seal" in settings)) return refuse(settings, io);
  const { url, seal: keep } = settings;
  if (flags.once === true)
    return reached(io, () => withSealer(url, (client) => sealAll(client, keep, io)));
  const stopping = new AbortController();
  io.onStop(() => stopping.abort());
  io.stdout(`${JSON.stringify({ event: "bff.audit_sealing" })}\n`);
  while (!stopping.signal.aborted) {
    try {
      const code = await withSealer(url, (client) => sealOn(client, keep, io, stopping.signal));
      if (code !== undefined) return code;
    } catch (error) {
      io.stderr(`${JSON.stringify({ event: "bff.audit_fault", fault: faultOf(error) })}\n`);
      await pause(RETRY_MS, stopping.signal);
    }
  }
  return 0;
}

async function sealOn(
  client: SealerClient,
  keep: Seal,
  io: Io,
  stop: AbortSignal,
): Promise<number | undefined> {
  let [lookedAtAll, reach]: [number, Reach] = [-Infinity, "window"];
  while (!stop.aborted) {
    const round = await sealRound(client, keep, reach);
    if (!round.ok) return refuseRound(round, keep, io);
    if (round.rows === MAX_ROWS) continue;
    if (reach === "all") lookedAtAll = io.now();
    // At the start too: a sealer that was away does not know what it missed.
    reach = io.now() - lookedAtAll >= LOOK_AT_ALL_MS ? "all" : "window";
    if (reach === "window") await pause(IDLE_MS, stop);
  }
  return undefined;
}

async function sealAll(client: SealerClient, keep: Seal, io: Io): Promise<number> {
  let [rows, reach]: [number, Reach] = [0, "window"];
  for (;;) {
    const round = await sealRound(client, keep, reach);
    if (!round.ok) return refuseRound(round, keep, io);
    rows += round.rows;
    if (round.rows === MAX_ROWS) continue;
    if (reach === "window") {
      reach = "all";
      continue;
    }
    io.stdout(`${JSON.stringify({ event: "bff.audit_sealed", rows, seq: round.newest.seq })}\n`);
    return 0;
  }
}

function refuseRound(round: Extract<Sealed, { ok: false }>, { file }: Seal, io: Io): number {
  if ("finding" in round) return refuseFinding(round.finding, io);
  const expected = "a file that `bff audit begin` made with this key, for this environment";
  return refuse([refuseSetting(codeOfFault(round.fault), file, expected, round.fault)], io);
}

function refuseFinding(finding: Parameters<typeof tellFinding>[0], io: Io): number {
  const { subject, expected, actual } = tellFinding(finding);
  return refuse([refuseSetting(codeOfFinding(finding), subject, expected, actual)], io);
}

function readSettings(io: Io): SealSettings | Refusals {
  const { env, now } = io;
  const url = databaseUrl(env, "DATABASE_SEALER_URL");
  const file = checkpointsFile(env);
  const secret: Setting<KeyObject> = signingKey(env);
  const environment = sealedEnvironment(env);
  if ("value" in url && "value" in file && "value" in secret && "value" in environment)
    return {
      url: url.value,
      seal: {
        file: file.value,
        secret: secret.value,
        key: publicKeyOf(secret.value),
        environment: environment.value,
        now,
      },
    };
  const refusals = refusalsOf([url, file, secret, environment]);
  if (!isRefused(refusals)) throw new TypeError("a setting without a value has a refusal");
  return refusals;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
