/** The contract's identifier (ADR-0092). */
export const CONTRACT = "eve.external-integration-registry.v1";

/** Kinds an entry may have; `agent` parses and has no admission path (ADR-0092). */
export const KINDS = ["mcp-server", "agent"] as const;
export type Kind = (typeof KINDS)[number];

/** Risk classes, mildest first. */
export const RISK_CLASSES = ["read", "write", "publish", "destructive"] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];

export const LIFECYCLE_STATES = ["active", "quarantined", "revoked"] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

const ORIGINS = ["first-party", "third-party"] as const;
export type Origin = (typeof ORIGINS)[number];

export const DEPLOYMENTS = ["production", "local-reference", "local-development"] as const;
export type Deployment = (typeof DEPLOYMENTS)[number];

/** MCP protocol versions an entry may admit. */
export const PROTOCOL_VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** The dependency gates of third-party admission, by task (ADR-0092). */
export const DEPENDENCY_GATES = [
  ["4.8", "release"],
  ["12.7", "red-team"],
  ["13.7", "operations"],
  ["14.7", "privacy"],
] as const;
export type GateTask = (typeof DEPENDENCY_GATES)[number][0];

/** The more severe of two risk classes. */
export function moreSevere(a: RiskClass, b: RiskClass): RiskClass {
  return RISK_CLASSES.indexOf(a) >= RISK_CLASSES.indexOf(b) ? a : b;
}

/** Whether a class asks for a reviewer other than the owner, and for consent: publish and above. */
export function isPublishing(riskClass: RiskClass): boolean {
  return RISK_CLASSES.indexOf(riskClass) >= RISK_CLASSES.indexOf("publish");
}
