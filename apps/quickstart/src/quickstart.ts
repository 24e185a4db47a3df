import { stayUp } from "./stay-up.ts";
import type { RunContext } from "./run-context.ts";
import { runChapter } from "./run-steps.ts";
import { createScreen, type Screen, type ScreenTraits } from "./screen.ts";
import type { StepResult } from "./step.ts";
import { StepError } from "./step-error.ts";
import {
  admitWorkbench,
  gateSteps,
  type Running,
  serviceSteps,
  servicesStep,
} from "./steps/index.ts";
import { allHeld, summaryOf, verdictLine } from "./summary.ts";

/** How to show a run. */
export interface RunOptions {
  readonly demo: boolean;
  readonly json: boolean;
}

/** Runs all steps and shows them; a run that is no demo then stays up. Answers whether every step held. */
export async function quickstart(
  context: RunContext,
  { demo, json }: RunOptions,
  traits: ScreenTraits,
  untilStopped: () => Promise<void>,
): Promise<boolean> {
  const screen = createScreen(json ? { ...traits, write: () => {} } : traits);
  screen.line(
    "Eve on this machine: what is exactly as reviewed is admitted, what publishes needs an operator, everything else is refused.\n",
  );
  try {
    const { results, expected, running } = await runSteps(context, screen);
    const held = allHeld(results, expected);
    screen.line(`\n${verdictLine(results, expected)}`);
    if (json) traits.write(`${JSON.stringify(summaryOf(results, expected))}\n`);
    if (demo || !held || !running) return held;
    await stayUp(running, { screen, json: json ? traits.write : undefined }, untilStopped);
    return true;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    screen.line(`\n${error.message}`);
    return false;
  } finally {
    await context.cleanup.run();
  }
}

interface Ran {
  readonly results: readonly StepResult[];
  readonly expected: number;
  readonly running: Running | undefined;
}

/** The gate's chapter, then the one in which everything runs. */
async function runSteps(context: RunContext, screen: Screen): Promise<Ran> {
  const services = servicesStep(context);
  const gateway = gateSteps(context);
  const further = serviceSteps();
  const expected = 1 + gateway.length + 1 + further.length;
  const gate = await runChapter(admitWorkbench, gateway, context, screen);
  if (!gate.opening) return { results: gate.results, expected, running: undefined };
  const story = await runChapter(services, further, gate.opening, screen);
  return {
    results: [...gate.results, ...story.results],
    expected,
    running: story.opening,
  };
}
