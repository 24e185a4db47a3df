import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startWatchedProgram } from "@eve/local-postgres/watched-process";
import { inheritedEnvironment } from "@eve/mcp-guard";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";

/** A built program that serves HTTP. */
export interface Service {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly nodeOptions?: readonly string[];
  readonly args: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** Answers 2xx once it serves. */
  readonly readyAt: string;
  /** Absolute path of the file that takes what it says. */
  readonly log: string;
}

const READY_MS = 30_000;
const POLL_MS = 20;
const LOG_END = 1_500;

/** Starts a built service and waits until it is ready; it ends with the run. Answers its end. Throws StepError with the end of its log. */
export async function startService(
  { name, program, nodeOptions = [], args, settings, readyAt, log }: Service,
  { env, cleanup }: RunContext,
): Promise<{ readonly ended: Promise<number> }> {
  const running = await startWatchedProgram({
    program: process.execPath,
    args: [...nodeOptions, basename(program), ...args],
    env: { ...inheritedEnvironment(env), ...settings },
    cwd: dirname(program),
    log,
  });
  cleanup.add(() => running.stop());
  for (const start = performance.now(); performance.now() - start < READY_MS;) {
    if (await isReady(readyAt)) return running;
    if (running.hasEnded()) throw new StepError(`${name} ended at its start:\n${endOf(log)}`);
    await sleep(POLL_MS);
  }
  throw new StepError(`${name} was not ready at ${readyAt} within 30 s:\n${endOf(log)}`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(READY_MS) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

/** The end of what a service said. */
export function endOf(log: string): string {
  return readFileSync(log, "utf8").trim().slice(-LOG_END);
}
