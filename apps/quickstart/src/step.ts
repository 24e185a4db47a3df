import type { PublicRefusal } from "@eve/registry-schema";

/** A refusal that a step provoked; `when` tells several of one step apart. */
export interface Provoked {
  readonly when?: string;
  readonly refusal: PublicRefusal;
}

/** A tool as admitted, with the class its entry gives it. */
export interface ListedTool {
  readonly name: string;
  readonly riskClass: string;
}

/** A work item as a second database connection reads it. */
export interface ItemReading {
  readonly state: string;
  readonly version: number;
  /** How often it went to `shipped`. */
  readonly shipments: number;
  /** How often it went to `verified` or `rejected`. */
  readonly verdicts: number;
}

/** What a step showed. A step that did not hold throws StepError instead. */
export interface Shown {
  /** One line: what was done and what the gate said. */
  readonly headline: string;
  readonly tools?: readonly ListedTool[];
  readonly refusals?: readonly Provoked[];
  /** The item after the step. */
  readonly item?: ItemReading;
}

/** One step of the run; `In` is what must have happened before. */
export interface Step<In, Out extends Shown = Shown> {
  /** Stable name, in kebab case. */
  readonly id: string;
  /** What it does, while it does it. */
  readonly doing: string;
  readonly run: (before: In) => Promise<Out>;
}

/** How a step ended. */
export type StepResult =
  | { readonly id: string; readonly ok: true; readonly shown: Shown }
  | { readonly id: string; readonly ok: false; readonly doing: string; readonly why: string };
