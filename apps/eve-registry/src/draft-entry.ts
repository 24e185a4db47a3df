import type { JsonObject } from "@eve/canonical-json";
import { DEPENDENCY_GATES, CONTRACT, formatInstant, type RiskClass } from "@eve/registry-schema";
import type { Standing, TextException } from "@eve/trust-admission";
import { evaluationOf, type EvidenceFile, healthOf, reviewOf, type Run } from "./evidence-files.ts";
import type { MeasuredSurface } from "./observe-surfaces.ts";
import { textOf } from "./json-values.ts";
import { pinSurfaces } from "./pinned-entry.ts";

/** What a draft of a third party's entry is made from. */
export interface Draft {
  readonly run: Run;
  readonly standing: Standing;
  readonly surfaces: readonly MeasuredSurface[];
  readonly clientCapabilities: JsonObject;
  readonly textExceptions: readonly TextException[];
  /** Class of every tool until somebody reviews them one by one. */
  readonly riskClass: RiskClass;
}

/**
 * Drafts a complete `local-development` entry of an installed package from what was measured. It rests on a generated
 * basis: its evidence says that this machine generated it and that it is no review.
 */
export function draftEntry(draft: Draft): {
  readonly entry: JsonObject;
  readonly files: readonly EvidenceFile[];
} {
  const { run, standing, surfaces, clientCapabilities, textExceptions, riskClass } = draft;
  const permission = `${run.integration}:call`;
  const names = surfaces[0]?.surface.tools.map(({ name }) => textOf(name)) ?? [];
  const tools = names.map((name) => ({ name, riskClass, permissions: [permission] }));
  const transport = standing.transport.value;
  const env = transport.type === "stdio" ? transport.env : [];
  const { origin: _, ...source } = { ...standing.source.value, version: standing.version.value };
  const reviewed: JsonObject = {
    id: run.integration,
    kind: "mcp-server",
    origin: "third-party",
    deployment: "local-development",
    protocol: { name: "mcp", versions: surfaces.map(({ surface }) => surface.protocolVersion) },
    owner: { team: "local-operator", contact: "whoever runs this machine" },
    source: { ...source },
    transport: { ...transport },
    riskClass,
    permissions: [permission],
    ...pinSurfaces(
      tools,
      clientCapabilities,
      surfaces.map(({ surface }) => surface),
    ),
    credentials: [],
    configuration: env.map((name) => ({ env: name, required: true })),
    destinations: [],
    ...(textExceptions.length > 0 && {
      textExceptions: textExceptions.map(({ field, codePoints }) => ({
        field,
        codePoints,
        reason: "Allowed by whoever measured it on this machine; no review",
      })),
    }),
    lifecycle: {
      state: "active",
      since: formatInstant(run.now),
      reason: "Generated on this machine; no review",
    },
  };
  const checks = surfaces.map(({ surface }) => ({
    title: `${surface.tools.length} tools measured in ${surface.protocolVersion}`,
    passed: surface.tools.length > 0,
  }));
  const health = healthOf(run, reviewed, checks);
  const evaluation = evaluationOf(run, reviewed, { passed: checks.length, failed: 0, skipped: 0 });
  const review = reviewOf(
    run,
    reviewed,
    { basis: "generated", reviewer: "local-generator" },
    surfaces,
  );
  return {
    entry: {
      ...reviewed,
      health: health.member,
      evaluation: evaluation.member,
      review: review.member,
    },
    files: [...health.files, ...evaluation.files, ...review.files],
  };
}

/** The manifest of a registry of one's own, its gates met by a note that says so. */
export function ownManifest(
  now: number,
  evidence: EvidenceFile & { readonly sha256: string },
): JsonObject {
  return {
    contract: CONTRACT,
    sequence: 1,
    dependencyGates: DEPENDENCY_GATES.map(([task, subject]) => ({
      task,
      subject,
      status: "met",
      metAt: formatInstant(now),
      evidence: { path: evidence.path, sha256: evidence.sha256 },
    })),
  };
}
