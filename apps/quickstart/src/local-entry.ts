import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { evaluationOf, type EvidenceFile, healthOf, reviewOf, type Run } from "@eve/registry-cli";
import type { Surface } from "@eve/trust-admission";
import { arrayAt, objectAt, objectsAt } from "./json-members.ts";

/** A surface and the lines it was read from, as observeStdioServer answers it. */
export type Measured = Parameters<typeof reviewOf>[3][number];

/** Says in every report of this run what it is worth. */
export const GENERATED_REASON = "Generated on this machine by the quickstart; it is no review";

/** Turns a production entry into a local one: the one destination, of credentials too, is `origin`. */
export function localEntry(raw: JsonObject, origin: string): JsonObject {
  return {
    ...raw,
    deployment: "local-development",
    credentials: objectsAt(raw, "credentials").map((credential) => ({
      ...credential,
      destinations: [origin],
    })),
    destinations: [{ origin, dataClasses: dataClasses(raw) }],
    lifecycle: { ...objectAt(raw, "lifecycle"), reason: GENERATED_REASON },
  };
}

/** A local entry with health, evaluation and review generated from measured surfaces, and the evidence files. */
export function withGeneratedEvidence(
  run: Run,
  entry: JsonObject,
  measured: readonly Measured[],
): { readonly entry: JsonObject; readonly files: readonly EvidenceFile[] } {
  const checks = measured.map(({ surface }) => ({
    title: titleOf(surface),
    passed: surface.tools.length > 0,
  }));
  const passed = checks.filter((check) => check.passed).length;
  const health = healthOf(run, entry, checks);
  const evaluation = evaluationOf(run, entry, {
    passed,
    failed: checks.length - passed,
    skipped: 0,
  });
  const review = reviewOf(
    run,
    entry,
    { basis: "generated", reviewer: "local-generator" },
    measured,
  );
  return {
    entry: {
      ...entry,
      health: health.member,
      evaluation: evaluation.member,
      review: review.member,
    },
    files: [...health.files, ...evaluation.files, ...review.files],
  };
}

function titleOf({ tools, protocolVersion }: Surface): string {
  return `${tools.length} tools measured in ${protocolVersion}`;
}

function dataClasses(raw: JsonObject): readonly JsonValue[] {
  const classes = objectsAt(raw, "destinations").flatMap((one) => arrayAt(one, "dataClasses"));
  return [...new Set(classes)];
}
