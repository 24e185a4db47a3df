import { changedCopy } from "../changed-copy.ts";
import { connect } from "../connect.ts";
import { provoked, requireRefusedStart } from "../expect-refusal.ts";
import type { Step } from "../step.ts";
import { StepError } from "../step-error.ts";
import { changeOneLetter } from "../tamper.ts";
import type { Admitted } from "./admit-workbench.ts";

/** The tool whose description is changed: one that publishes. */
const TOOL = "workbench_ship_item";

/** One letter of what a tool says of itself is changed in the program, and its artifact digested again. */
export const changedDescription: Step<Admitted> = {
  id: "description-changed",
  doing: "Changing one letter of a tool's description in the program",
  run: async ({ context, local, served, instructions }) => {
    const { description = "", ...rest } = served.find(({ name }) => name === TOOL) ?? {};
    const others = [
      instructions,
      JSON.stringify(rest),
      ...served.filter(({ name }) => name !== TOOL).map((tool) => JSON.stringify(tool)),
    ];
    const tampered = changeOneLetter(local.bytes, description, others);
    if (!tampered)
      throw new StepError(`no words of ${TOOL}'s description stand exactly once in the program`);
    const launch = changedCopy(local, "description-changed", { program: tampered.bytes }, context);
    const told = requireRefusedStart(
      await connect(launch, context.signal),
      "surface.description_drift",
    );
    requireOnly(told.map(({ subject }) => subject));
    return {
      headline: `Refused, exit 78: one letter of ${TOOL}'s description changed in the program`,
      refusals: [provoked("surface.description_drift")],
    };
  },
};

/** Its definition drifts with its description; anything else means that the change hit more than it should. */
function requireOnly(subjects: readonly string[]): void {
  const hit = [...new Set(subjects.map(withoutVersion))].toSorted();
  const expected = [`tools.${TOOL}.pins.definition`, `tools.${TOOL}.pins.description`];
  if (JSON.stringify(hit) !== JSON.stringify(expected))
    throw new StepError(
      `expected drift of ${expected.join(" and ")} only; found ${hit.join(", ")}`,
    );
}

/** A definition is pinned per protocol version. */
function withoutVersion(subject: string): string {
  return subject.replace(/\.\d{4}-\d{2}-\d{2}$/, "");
}
