import { CATALOGUE, isRefused, type RefusalCode, type Refusals } from "@eve/registry-schema";
import type { Trust } from "../audit/checkpoint.ts";
import { readCheckpoints } from "../audit/checkpoint-file.ts";
import { codeOfFault } from "../audit/guard.ts";
import { inTransaction, withSealer } from "../audit/sealer-client.ts";
import { findUnsealed, type Unsealed } from "../audit/unsealed.ts";
import { type ChainReport, verifyChain } from "../audit/verify-chain.ts";
import { checkpointsFile, publicKey, sealedEnvironment } from "./audit-settings.ts";
import { codeOfFinding, tellFinding } from "./audit-words.ts";
import type { Io } from "./io.ts";
import { reached } from "./reached.ts";
import { refuse, refuseSetting } from "./refuse.ts";
import { databaseUrl, refusalsOf } from "./settings.ts";

/** It was checked, and something is wrong. */
const EXIT_FOUND = 1;
const PROGRESS_MS = 5_000;

/** The options of `bff audit verify`; each is a setting where it is not given. */
export interface VerifyFlags {
  readonly checkpoints?: string;
  readonly key?: string;
  readonly environment?: string;
  readonly json?: boolean;
}

interface Wrong {
  readonly code: RefusalCode;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
}

/** What verifying came to, as `--json` tells it. */
interface Verdict {
  readonly event: "bff.audit_verified";
  readonly ok: boolean;
  /** Links that are as they were sealed, from the first on. */
  readonly links: number;
  /** The last link under a checkpoint; what is after it is chained, but nothing kept elsewhere proves it. */
  readonly provenTo: number;
  readonly unsealed: Unsealed | null;
  readonly wrong: (Wrong & { readonly remedy: string }) | null;
}

/**
 * Verifies every row, link and checkpoint. Exit 0: all as sealed, up to the newest checkpoint; 1: something is wrong,
 * told with the first place of it; 78: it could not be checked.
 */
export async function verify(flags: VerifyFlags, io: Io): Promise<number> {
  const env = {
    ...io.env,
    ...(flags.checkpoints !== undefined && { EVE_BFF_AUDIT_CHECKPOINTS: flags.checkpoints }),
    ...(flags.key !== undefined && { EVE_BFF_AUDIT_PUBLIC_KEY: flags.key }),
    ...(flags.environment !== undefined && { EVE_BFF_ENVIRONMENT: flags.environment }),
  };
  const settings = readSettings(env);
  if (!("url" in settings)) return refuse(settings, io);
  const { url, file, trust } = settings;
  const checkpoints = readCheckpoints(file, trust);
  if (!checkpoints.ok) {
    const { fault, line } = checkpoints;
    const code = codeOfFault(fault);
    const wrong = {
      code,
      subject: line === 0 ? file : `${file}, line ${line}`,
      expected: "checkpoints signed with this key for this environment",
      actual: fault,
    };
    return code === "audit.checkpoint_untrusted"
      ? tell({ links: 0, provenTo: 0, unsealed: null, wrong }, flags, io)
      : refuse([refuseSetting(code, wrong.subject, wrong.expected, wrong.actual)], io);
  }
  const found = await reached(io, () =>
    withSealer(url, (client) =>
      inTransaction(client, "isolation level repeatable read read only", async () => {
        const onProgress = progressTo(io);
        const report = await verifyChain(client, { checkpoints: checkpoints.all, onProgress });
        return { report, unsealed: await findUnsealed(client) };
      }),
    ),
  );
  if (typeof found === "number") return found;
  const { report, unsealed } = found;
  const { head, provenTo } = report;
  return tell({ links: head.seq, provenTo, unsealed, wrong: wrongOf(report) }, flags, io);
}

interface VerifySettings {
  readonly url: string;
  readonly file: string;
  readonly trust: Trust;
}

function readSettings(env: Io["env"]): VerifySettings | Refusals {
  const url = databaseUrl(env, "DATABASE_SEALER_URL");
  const file = checkpointsFile(env);
  const key = publicKey(env);
  const environment = sealedEnvironment(env);
  if ("value" in url && "value" in file && "value" in key && "value" in environment)
    return {
      url: url.value,
      file: file.value,
      trust: { key: key.value, environment: environment.value },
    };
  const refusals = refusalsOf([url, file, key, environment]);
  if (!isRefused(refusals)) throw new TypeError("a setting without a value has a refusal");
  return refusals;
}

function wrongOf({ finding }: ChainReport): Wrong | null {
  return finding === undefined ? null : { code: codeOfFinding(finding), ...tellFinding(finding) };
}

/** Tells how far it is, each few seconds. */
function progressTo(io: Io): (seq: number) => void {
  let last = io.now();
  return (seq) => {
    if (io.now() - last < PROGRESS_MS) return;
    last = io.now();
    io.stderr(`${JSON.stringify({ event: "bff.audit_progress", links: seq })}\n`);
  };
}

function tell(
  { wrong, ...found }: Omit<Verdict, "event" | "ok" | "wrong"> & { readonly wrong: Wrong | null },
  { json = false }: VerifyFlags,
  io: Io,
): number {
  const verdict: Verdict = {
    event: "bff.audit_verified",
    ok: wrong === null,
    ...found,
    wrong: wrong && { ...wrong, remedy: CATALOGUE[wrong.code].remedy },
  };
  io.stdout(json ? `${JSON.stringify(verdict)}\n` : prose(verdict));
  return verdict.ok ? 0 : EXIT_FOUND;
}

function prose({ links, provenTo, unsealed, wrong }: Verdict): string {
  const lines =
    wrong === null
      ? [`The audit chain is as it was sealed: ${links} links, proven up to link ${provenTo}.`]
      : [
          `${wrong.code}: ${CATALOGUE[wrong.code].title}.`,
          `  ${wrong.subject}: expected ${wrong.expected}; found ${wrong.actual}.`,
          `  Right before that: ${links} links, proven up to link ${provenTo}.`,
          `  ${wrong.remedy}`,
        ];
  if (wrong === null && links > provenTo)
    lines.push(
      `Chained since the newest checkpoint, and not proven yet: ${links - provenTo} links.`,
    );
  if (unsealed !== null && unsealed.rows > 0)
    lines.push(
      `Not chained yet: ${unsealed.rows} rows, the oldest ${unsealed.oldestSeconds ?? "?"} s old; ids ${unsealed.ids.join(", ")}${unsealed.rows > unsealed.ids.length ? ", …" : ""}. More than a few seconds old: see that a sealer runs.`,
    );
  return `${lines.join("\n")}\n`;
}
