import { join } from "node:path";
import { nextSteps, type Reach, reachSummary } from "./next-steps.ts";
import type { Screen } from "./screen.ts";
import { endOf } from "./services/service-process.ts";
import { StepError } from "./step-error.ts";
import { makeItem, type Running } from "./steps/index.ts";

/** How to tell what runs: lines for people, and one JSON value for a program that asked for it. */
export interface Telling {
  readonly screen: Screen;
  readonly json: ((text: string) => void) | undefined;
}

/**
 * Leaves an item to try things on, tells how to reach what runs, and waits until it is stopped. Rejects with StepError
 * where a service ends first.
 */
export async function stayUp(
  running: Running,
  { screen, json }: Telling,
  untilStopped: () => Promise<void>,
): Promise<void> {
  const { backend, bellona, context } = running;
  const stopped = untilStopped();
  const reach = reachOf(running, await makeItem(backend.operator, "Yours to try"));
  screen.line("");
  for (const line of nextSteps(reach)) screen.line(line);
  json?.(`${JSON.stringify(reachSummary(reach))}\n`);
  await Promise.race([
    stopped,
    backend.ended.then(() => fallen("The backend", backend.log)),
    bellona.ended.then(() => fallen("Bellona", join(context.folder, "bellona.log"))),
  ]);
}

function reachOf({ backend, bellona, context, local }: Running, itemId: string): Reach {
  return {
    backend: backend.origin,
    bellona: bellona.resource,
    agentCredentialFile: backend.credentials.agent.file,
    operatorCredentialFile: backend.credentials.operator.file,
    logs: join(context.folder, "*.log"),
    integration: local.entry.id,
    program: local.program,
    itemId,
  };
}

/** The log goes with the run's folder, so what it said last is told now. */
function fallen(name: string, log: string): never {
  throw new StepError(`${name} ended by itself. It said last:\n${endOf(log)}`);
}
