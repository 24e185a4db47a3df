/** A step did not hold: the message says what was expected and what was found, for a person. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly code = "quickstart.step_failed";
}
