import type { JsonObject } from "@eve/canonical-json";
import { formatInstant } from "@eve/registry-schema";
import { objectOf, objectsOf, textOf } from "./json-values.ts";

/** The digest of nothing at all: no measurement gives it, so it never stands. */
const UNMEASURED = "0".repeat(64);

/**
 * Completes what an owner writes of a new first-party entry with members that a measurement and a review will give:
 * zero digests, an unknown health, a pending evaluation, a review of nothing, all long expired. What is there stays.
 * The result parses and is refused everywhere; a first `renew --review` replaces each of these.
 */
export function completeDraft(raw: JsonObject): JsonObject {
  const versions = objectOf(raw["protocol"])["versions"];
  const everyVersion = (value: JsonObject | string): JsonObject =>
    Object.fromEntries((Array.isArray(versions) ? versions : []).map((v) => [textOf(v), value]));
  const id = textOf(raw["id"]);
  const pins = {
    inputSchema: UNMEASURED,
    description: UNMEASURED,
    definition: everyVersion(UNMEASURED),
  };
  return inOrder({
    ...raw,
    source: completeSource(objectOf(raw["source"])),
    tools: objectsOf(raw["tools"]).map((tool) => ({ ...tool, pins: tool["pins"] ?? pins })),
    surface: raw["surface"] ?? {
      observedWith: { clientCapabilities: {} },
      ...everyVersion({
        instructions: UNMEASURED,
        capabilities: UNMEASURED,
        prompts: UNMEASURED,
        resources: UNMEASURED,
      }),
    },
    health: raw["health"] ?? { status: "unknown", ...never(id, "health", "observedAt") },
    evaluation: raw["evaluation"] ?? {
      status: "pending",
      ...never(id, "evaluation", "observedAt"),
    },
    review: raw["review"] ?? {
      basis: "reviewed",
      reviewer: "nobody",
      subject: UNMEASURED,
      ...never(id, "review", "reviewedAt"),
    },
  });
}

function completeSource({ artifacts, ...source }: JsonObject): JsonObject {
  return {
    ...source,
    version: source["version"] ?? "0.0.0",
    sha256: source["sha256"] ?? UNMEASURED,
    artifacts: objectsOf(artifacts).map((one) => ({
      ...one,
      sha256: one["sha256"] ?? UNMEASURED,
    })),
  };
}

/** With `surface` behind `tools`, as the registry's files have it. */
function inOrder({ surface, ...entry }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]) =>
      key === "tools" && surface !== undefined
        ? [
            [key, value],
            ["surface", surface],
          ]
        : [[key, value]],
    ),
  );
}

function never(id: string, kind: string, observed: string): JsonObject {
  return {
    [observed]: formatInstant(0),
    expiresAt: formatInstant(1),
    evidence: { path: `evidence/${id}/${kind}/report.json`, sha256: UNMEASURED },
  };
}
