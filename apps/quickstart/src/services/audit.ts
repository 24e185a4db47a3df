import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCli } from "@eve/bff";
import { isJsonObject, parseJson } from "@eve/canonical-json";
import { startWatchedProgram } from "@eve/local-postgres/watched-process";
import { inheritedEnvironment } from "@eve/mcp-guard";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";

/** The audit rows of a run, sealed by a process of its own. */
export interface Audit {
  /** What holds the backend against the checkpoints. */
  readonly settings: Readonly<Record<string, string>>;
  /** Verifies them once all are sealed, and answers how many there are. Throws StepError. */
  readonly verified: () => Promise<number>;
}

const SEALED_MS = 10_000;
const POLL_MS = 50;

/** Makes the sealer's keys, begins its checkpoints and starts the built `program` beside them; all of it in the run's folder. */
export async function startSealer(
  sealerUrl: string,
  environment: string,
  program: string,
  { folder, env, cleanup }: RunContext,
): Promise<Audit> {
  const [key, shown] = [join(folder, "sealer.key"), join(folder, "sealer.pub")];
  const settings = {
    EVE_BFF_ENVIRONMENT: environment,
    EVE_BFF_AUDIT_CHECKPOINTS: join(folder, "checkpoints.jsonl"),
    EVE_BFF_AUDIT_PUBLIC_KEY: shown,
  };
  const own = { ...settings, DATABASE_SEALER_URL: sealerUrl, EVE_BFF_AUDIT_KEY_FILE: key };
  requireWell(await audit(["keygen", "--key", key, "--public", shown], own));
  requireWell(await audit(["begin"], own));
  const sealer = await startWatchedProgram({
    program: process.execPath,
    args: [basename(program), "audit", "seal"],
    env: { ...inheritedEnvironment(env), ...own },
    cwd: dirname(program),
    log: join(folder, "sealer.log"),
  });
  cleanup.add(() => sealer.stop());
  return { settings, verified: () => verifyWhenSealed(own) };
}

async function verifyWhenSealed(own: Readonly<Record<string, string>>): Promise<number> {
  for (const start = performance.now(); ;) {
    const told = requireWell(await audit(["verify", "--json"], own));
    const verdict = parseJson(Buffer.from(told.trimEnd()));
    if (!verdict.ok || !isJsonObject(verdict.value)) throw new StepError("no verdict was told");
    const { links, provenTo, unsealed } = verdict.value;
    const isSealed = isJsonObject(unsealed) && unsealed["rows"] === 0;
    if (isSealed && typeof links === "number" && links > 0 && links === provenTo) return links;
    if (performance.now() - start > SEALED_MS)
      throw new StepError(`the audit rows were not sealed within 10 s: ${told}`);
    await sleep(POLL_MS);
  }
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function audit(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await runCli(["audit", ...argv], {
    env,
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    readRegistry: () => ({ fault: "missing" }),
    now: () => Date.now(),
    onStop: () => undefined,
  });
  return { code, out, err };
}

function requireWell({ code, out, err }: Ran): string {
  if (code === 0) return out;
  throw new StepError(`bff audit ended with ${code}:\n${out}${err}`);
}
