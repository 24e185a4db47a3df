import type { JsonObject } from "@eve/canonical-json";
import { bytesOf } from "./json.ts";

/** What a good document may be told. */
export interface DocumentOptions {
  readonly entries: readonly JsonObject[];
  /** 1 where not said. */
  readonly sequence?: number;
  /** Whether the four dependency gates are met; unmet where not said. */
  readonly gates?: "met" | "unmet";
}

/** A registry document and its bytes. */
export interface KitDocument {
  readonly value: JsonObject;
  readonly bytes: Uint8Array;
}

/** The dependency gates of third-party admission, all met or all unmet. */
export function goodGates(status: "met" | "unmet"): readonly JsonObject[] {
  const gates = [
    ["4.8", "release"],
    ["12.7", "red-team"],
    ["13.7", "operations"],
    ["14.7", "privacy"],
  ] as const;
  const proof = {
    metAt: "2026-11-01T00:00:00Z",
    evidence: { path: "evidence/gates/report.json", sha256: "1".repeat(64) },
  };
  return gates.map(([task, subject]) => ({
    task,
    subject,
    status,
    ...(status === "met" ? proof : {}),
  }));
}

/** An assembled registry document (`eve.external-integration-registry.v1`) of these entries. */
export function goodDocument({
  entries,
  sequence = 1,
  gates = "unmet",
}: DocumentOptions): KitDocument {
  const value: JsonObject = {
    contract: "eve.external-integration-registry.v1",
    sequence,
    dependencyGates: goodGates(gates),
    integrations: entries,
  };
  return { value, bytes: bytesOf(value) };
}
