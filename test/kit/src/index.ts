export { at, DAY_MS, NOW, sixMonthsAfter } from "./clock.ts";
export { type DocumentOptions, goodDocument, goodGates, type KitDocument } from "./document.ts";
export { type EntryOptions, GOOD_SOURCE, goodEntry, renewed, thirdPartyEntry } from "./entry.ts";
export { evidenceFiles, type EvidenceFiles, evidencePath, goodEvidence } from "./evidence.ts";
export {
  bytesOf,
  type Leaf,
  leavesOf,
  listIn,
  objectIn,
  objectsOf,
  type Path,
  pathText,
  textIn,
  valueAt,
  withChange,
  withValue,
} from "./json.ts";
export {
  goodObservation,
  type KitObservation,
  type KitPart,
  type KitSource,
  type KitTransport,
  type ObservationOptions,
} from "./observation.ts";
export { entryDigestOf, pinsOfServer, pinsOfTool, reviewSubjectOf, surfaceDigest } from "./pins.ts";
export {
  GOOD_TOOLS,
  goodSurface,
  goodTool,
  hintsOf,
  type KitRiskClass,
  type KitSurface,
  type Version,
  VERSIONS,
} from "./surface.ts";
