import type { JsonObject } from "@eve/canonical-json";
import { admit, type Observation } from "@eve/trust-admission";
import { changedCopy } from "../changed-copy.ts";
import { connect } from "../connect.ts";
import { provoked, requireFirst, requireRefusedStart } from "../expect-refusal.ts";
import type { LocalWorkbench } from "../local-workbench.ts";
import type { Step } from "../step.ts";
import { StepError } from "../step-error.ts";
import type { Admitted } from "./admit-workbench.ts";
import { objectAt, textAt } from "../json-members.ts";

/** No registry of ours has an entry of this id. */
const UNKNOWN = "never-reviewed";

/** A server without an entry: asked for by id, and the built program beside a registry that names only another. */
export const unknownServer: Step<Admitted> = {
  id: "unknown-server",
  doing: "Asking for a server without an entry",
  run: async ({ context, local }) => {
    const verdict = admit(local.registry, unknownObservation(local), context.now);
    requireFirst(verdict.admitted ? [] : verdict.refusals, "entry.absent");
    const launch = changedCopy(
      local,
      "unknown-server",
      { entry: (entry) => renamed(entry, UNKNOWN) },
      context,
    );
    requireRefusedStart(await connect(launch, context.signal), "entry.absent");
    return {
      headline:
        "Refused, exit 78: a server without an entry, and the workbench once its entry is gone",
      refusals: [provoked("entry.absent")],
    };
  },
};

/** The admitted workbench in everything but its name. */
function unknownObservation({ entry, measured: [first] }: LocalWorkbench): Observation {
  if (!first) throw new StepError("expected a measured surface; found none");
  const { sha256, artifacts, version } = entry.source;
  return {
    integration: UNKNOWN,
    source: { how: "measured", value: { origin: "first-party", sha256, artifacts } },
    version: { how: "measured", value: version },
    transport: { how: "measured", value: entry.transport },
    client: { capabilities: entry.surface.observedWith.clientCapabilities },
    surface: { how: "measured", value: first.surface },
  };
}

/** The same entry under another id, its evidence in that id's folder: the registry stays valid and is not empty. */
export function renamed(entry: JsonObject, id: string): JsonObject {
  const from = `evidence/${textAt(entry, "id")}/`;
  const moved = (["health", "evaluation", "review"] as const).map((part) => {
    const dated = objectAt(entry, part);
    const evidence = objectAt(dated, "evidence");
    return [
      part,
      {
        ...dated,
        evidence: { ...evidence, path: textAt(evidence, "path").replace(from, `evidence/${id}/`) },
      },
    ] as const;
  });
  return { ...entry, id, ...Object.fromEntries(moved) };
}
