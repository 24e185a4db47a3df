import type { Shown, Step, StepResult } from "./step.ts";

/** Hears of each step as it begins and as it ends. */
export interface StepListener {
  readonly begin: (doing: string) => void;
  readonly end: (result: StepResult) => void;
}

/** How a chapter ended; `opening` is what its first step showed, if it held. */
export interface ChapterResult<First> {
  readonly results: readonly StepResult[];
  readonly opening: First | undefined;
}

/**
 * Runs the first step, then all others on what it showed, in order. A step that fails stops none but those that need
 * the first; whatever a step throws is its failure. Never rejects.
 */
export async function runChapter<In, First extends Shown>(
  first: Step<In, First>,
  others: readonly Step<First>[],
  input: In,
  listener: StepListener,
): Promise<ChapterResult<First>> {
  const opening = await runStep(first, input, listener);
  if (!opening.ok) return { results: [opening], opening: undefined };
  const results: StepResult[] = [opening];
  for (const step of others) results.push(await runStep(step, opening.shown, listener));
  return { results, opening: opening.shown };
}

type Ended<Out extends Shown> =
  | (StepResult & { readonly ok: true; readonly shown: Out })
  | (StepResult & { readonly ok: false });

async function runStep<In, Out extends Shown>(
  step: Step<In, Out>,
  input: In,
  listener: StepListener,
): Promise<Ended<Out>> {
  listener.begin(step.doing);
  const result = await settle(step, input);
  listener.end(result);
  return result;
}

async function settle<In, Out extends Shown>(
  { id, doing, run }: Step<In, Out>,
  input: In,
): Promise<Ended<Out>> {
  try {
    return { id, ok: true, shown: await run(input) };
  } catch (error) {
    return { id, ok: false, doing, why: error instanceof Error ? error.message : String(error) };
  }
}
