/** What can be wrong with files that are to be measured. */
export type MeasuringErrorCode =
  | "artifact.not_regular"
  | "artifact.unreadable"
  | "package.dependency_missing"
  | "package.entry_not_regular"
  | "package.manifest_invalid"
  | "package.path_invalid"
  | "package.unreadable";

/** Files could not be measured; the cause is kept. Nothing measured is a fault, never an empty measurement. */
export class MeasuringError extends Error {
  readonly code: MeasuringErrorCode;

  constructor(code: MeasuringErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "MeasuringError";
    this.code = code;
  }
}
