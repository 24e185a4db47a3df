export { assembleDocument } from "./assemble.ts";
export { CATALOGUE, type CatalogueRow, isRefusalCode, type RefusalCode } from "./catalogue.ts";
export type { DependencyGate, Manifest } from "./document.ts";
export type {
  Entry,
  EntryTool,
  Evidence,
  FirstPartyEntry,
  ServerPins,
  ThirdPartyEntry,
} from "./entry.ts";
export { entryDigest, pinnedSurface, reviewedLaunch, reviewSubject } from "./entry-digest.ts";
export {
  type EvidenceReport,
  type HealthReport,
  type EvaluationReport,
  type ReviewReport,
  parseEvidenceReport,
} from "./evidence-report.ts";
export {
  addCalendarMonths,
  formatInstant,
  HEALTH_WINDOW_MS,
  type Instant,
  instantMs,
  parseInstant,
  REVIEW_WINDOW_MONTHS,
} from "./instant.ts";
export { ENTRY_LEAVES, type EntryLeaf, type LeafKind } from "./entry-leaves.ts";
export { type EntryResult, parseEntry } from "./parse-entry.ts";
export {
  parseManifest,
  parseRegistry,
  type Registry,
  type RegistryLimits,
  type RegistryOptions,
  type RegistryRecord,
  type RegistryResult,
} from "./parse-registry.ts";
export {
  isRefused,
  type PublicRefusal,
  publicRefusal,
  refusal,
  type Refusal,
  type RefusalPlace,
  type Refusals,
} from "./refusal.ts";
export { ENTRY_SCHEMA, MANIFEST_SCHEMA, type SourceSchema } from "./source-schema.ts";
export {
  isContainedPath,
  isDestination,
  isLoopbackOrigin,
  isReadable,
  isRuntimeVariable,
  isToolName,
} from "./text.ts";
export {
  CONTRACT,
  DEPENDENCY_GATES,
  type Deployment,
  type GateTask,
  isPublishing,
  type Kind,
  type LifecycleState,
  moreSevere,
  type Origin,
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
  RISK_CLASSES,
  type RiskClass,
} from "./vocabulary.ts";
