export { type Admission, AdmissionError, isAdmission, requireAdmission } from "./admission.ts";
export { admit, judgeGovernance, judgeStanding, type Verdict } from "./admit.ts";
export {
  admitToolCall,
  type CallConsent,
  type CallGeneration,
  type CallVerdict,
  type ToolCall,
} from "./admit-tool-call.ts";
export { annotationsFor, type ToolAnnotations } from "./annotations.ts";
export { type CallArguments, MAX_ARGUMENT_BYTES } from "./call/call-arguments.ts";
export {
  judgeParsedResult,
  judgeResult,
  MAX_RESULT_BYTES,
  type ResultVerdict,
} from "./call/judge-result.ts";
export { type Change, type Grade, GRADES } from "./diff/change.ts";
export { diffSurfaces } from "./diff/diff-surfaces.ts";
export { judgeEvidence } from "./evidence.ts";
export { judgeGateEvidence } from "./gate-evidence.ts";
export { judgeLinks } from "./links/judge-links.ts";
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
export { judgeSchemas } from "./schema/judge-schemas.ts";
export { judgeSuccession } from "./succession.ts";
export type { Surface } from "./surface.ts";
export { judgeText, type TextException } from "./text/judge-text.ts";
