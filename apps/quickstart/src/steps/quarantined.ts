import type { Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";
import { refusedCopy } from "./refused-copy.ts";
import { objectAt } from "../json-members.ts";

/** The entry is quarantined. */
export const quarantined: Step<Admitted> = refusedCopy({
  id: "quarantined",
  doing: "Quarantining the entry",
  headline: "Refused, exit 78: the entry is quarantined",
  code: "lifecycle.quarantined",
  entry: (entry) => ({
    ...entry,
    lifecycle: {
      ...objectAt(entry, "lifecycle"),
      state: "quarantined",
      reason: "The quickstart shows what a quarantine does",
    },
  }),
});
