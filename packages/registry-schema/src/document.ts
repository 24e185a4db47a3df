import { z } from "zod";
import { containedPath, failsWith, instant, sha256 } from "./entry-fields.ts";
import type { Instant } from "./instant.ts";
import { CONTRACT, DEPENDENCY_GATES, type GateTask } from "./vocabulary.ts";

const unmetGate = z.strictObject({
  task: z.enum(DEPENDENCY_GATES.map(([task]) => task)),
  subject: z.string(),
  status: z.literal("unmet"),
});
const metGate = z.strictObject({
  ...unmetGate.shape,
  status: z.literal("met"),
  metAt: instant,
  evidence: z.strictObject({ path: containedPath, sha256 }),
});
const gate = z.discriminatedUnion("status", [unmetGate, metGate]);

/** A dependency gate of third-party admission: unmet, or met with reviewed evidence. */
export type DependencyGate =
  | { readonly task: GateTask; readonly subject: string; readonly status: "unmet" }
  | {
      readonly task: GateTask;
      readonly subject: string;
      readonly status: "met";
      readonly metAt: Instant;
      readonly evidence: { readonly path: string; readonly sha256: string };
    };

/** All four gates, each once, in the decision's order. */
export const gates = z
  .array(gate)
  .refine(
    (list) =>
      list.length === DEPENDENCY_GATES.length &&
      list.every(
        ({ task, subject }, i) =>
          task === DEPENDENCY_GATES[i]?.[0] && subject === DEPENDENCY_GATES[i]?.[1],
      ),
    `the gates ${DEPENDENCY_GATES.map((pair) => pair.join(" ")).join(", ")}, each once and in this order`,
  );

/** registry.json of the sources: everything but the entries. */
export const manifestShape = z.strictObject({
  contract: z.literal(CONTRACT, failsWith("registry.contract_unknown", CONTRACT)),
  sequence: z.int().min(1),
  dependencyGates: gates,
});

/** What registry.json of the sources holds, parsed. */
export interface Manifest {
  readonly contract: typeof CONTRACT;
  /** Rises with every change that lands. */
  readonly sequence: number;
  readonly dependencyGates: readonly DependencyGate[];
}
