export { type Admission, AdmissionError, isAdmission, requireAdmission } from "./admission.ts";
export { admit, judgeGovernance, judgeStanding, type Verdict } from "./admit.ts";
export {
  admitToolCall,
  type CallConsent,
  type CallVerdict,
  type ToolCall,
} from "./admit-tool-call.ts";
export { annotationsFor, type ToolAnnotations } from "./annotations.ts";
export { judgeEvidence } from "./evidence.ts";
export { judgeGateEvidence } from "./gate-evidence.ts";
export type {
  Observation,
  Part,
  Provenance,
  SourceObservation,
  Standing,
  TransportObservation,
} from "./observation.ts";
export {
  PIN_FORMAT,
  pin,
  type PinPart,
  surfacePins,
  type SurfacePins,
  type ToolPins,
} from "./pins.ts";
export { printableName } from "./printable.ts";
export type { Surface } from "./surface.ts";
