import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { idsIn } from "@eve/e2e/attack-citations";
import type { Guard } from "./guard.ts";
import type { Run } from "./run-without.ts";

/** Whether the tests of a guard's inputs see that it is off, or what is wrong. */
export interface Proof {
  readonly guard: Guard;
  /** Inputs no test of which failed. */
  readonly unseen: readonly string[];
  readonly faults: readonly string[];
  readonly run: Run;
}

/** Whether the tests noticed: of each input one failed, and nothing else went wrong. */
export function isSeen({ unseen, faults }: Proof): boolean {
  return unseen.length === 0 && faults.length === 0;
}

/** Switches one guard off and runs its tests: of each input one must fail, and some other test must pass. */
export async function prove(guard: Guard): Promise<Proof> {
  return judge(guard, await runElsewhere(guard));
}

/** What a run with the guard off shows. */
export function judge(guard: Guard, run: Run): Proof {
  return {
    guard,
    run,
    unseen: guard.inputs.filter((id) => !run.failed.some((title) => idsIn(title).includes(id))),
    faults: [
      ...run.broken,
      ...(run.passed.length === 0 ? ["no test passed: the edit broke more than the guard"] : []),
    ],
  };
}

/** Each run has a process of its own, because vitest keeps what it has transformed. */
async function runElsewhere({ tests, edits }: Guard): Promise<Run> {
  const program = fileURLToPath(new URL("run.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@eve/source", program], {
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  const texts = { 2: "", 3: "" };
  for (const number of [2, 3] as const)
    child.stdio[number]?.on("data", (chunk: Buffer) => (texts[number] += chunk.toString("utf8")));
  child.stdin?.end(JSON.stringify({ tests, edits }));
  await new Promise((resolve) => child.once("close", resolve));
  try {
    const run: Run = JSON.parse(texts[3]);
    return run;
  } catch {
    return { passed: [], failed: [], reasons: [], broken: [`the run ended: ${texts[2].trim()}`] };
  }
}
