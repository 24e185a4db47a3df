export { type DraftOptions, type DraftResult, measurePackage } from "./measure-package.ts";
export { ownManifest } from "./draft-entry.ts";
export {
  evaluationOf,
  type EvidenceFile,
  formatJson,
  healthOf,
  reviewOf,
  type Run,
} from "./evidence-files.ts";
export {
  observeThirdParty,
  type PackageProgram,
  launchPackage,
  programOfEntry,
} from "./third-party.ts";
export { withTemporaryFolder } from "./temporary-folder.ts";
export { writeFiles } from "./write-files.ts";
export { datedNow, makeTrialFolder, type Trial, type TrialChanges } from "./trial-folder.ts";
export { launchProgram, launchSurface, observeFirstParty, programOf } from "./first-party.ts";
export { loadRegistry, requireEntry, requireFirstParty } from "./entry-file.ts";
export { type ServedProgram, withServedProgram } from "./served-program.ts";
export { settingsFor } from "./probe-health.ts";
export { runCli } from "./cli.ts";
export type { Io } from "./io.ts";
export { findWorkspace, type Workspace } from "./workspace.ts";
export { type ClientName, type ClientServer, CLIENTS, renderConfig } from "./commands/config.ts";
