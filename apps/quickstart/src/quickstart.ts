import { loadRegistry, programOf, requireEntry, requireFirstParty } from "@eve/registry-cli";
import { WORKBENCH } from "./local-workbench.ts";
import { nextSteps } from "./next-steps.ts";
import type { RunContext } from "./run-context.ts";
import { runSteps } from "./run-steps.ts";
import { createScreen, type Screen, type ScreenTraits } from "./screen.ts";
import { admitWorkbench, FURTHER_STEPS } from "./steps/index.ts";
import { allHeld, summaryOf, verdictLine } from "./summary.ts";

/** How to show a run. */
export interface RunOptions {
  readonly demo: boolean;
  readonly json: boolean;
}

const STEP_COUNT = 1 + FURTHER_STEPS.length;

/** Runs all steps and shows them; answers whether every step held. */
export async function quickstart(
  context: RunContext,
  { demo, json }: RunOptions,
  traits: ScreenTraits,
): Promise<boolean> {
  const screen = createScreen(json ? { ...traits, write: () => {} } : traits);
  screen.line(
    "Eve's gate on this machine: what is exactly as reviewed is admitted, everything else is refused.\n",
  );
  const results = await runSteps(admitWorkbench, FURTHER_STEPS, context, screen);
  const held = allHeld(results, STEP_COUNT);
  screen.line(`\n${verdictLine(results, STEP_COUNT)}`);
  if (!demo && held) showNext(context, screen);
  if (json) traits.write(`${JSON.stringify(summaryOf(results, STEP_COUNT))}\n`);
  return held;
}

function showNext({ workspace }: RunContext, screen: Screen): void {
  const loaded = loadRegistry(workspace.registry);
  if (!loaded.ok) return;
  const entry = requireFirstParty(requireEntry(loaded.assembled, WORKBENCH).entry);
  const [destination] = entry.destinations;
  const program = programOf(entry, workspace.root);
  screen.line("");
  for (const line of nextSteps(program, destination?.origin ?? "")) screen.line(line);
}
