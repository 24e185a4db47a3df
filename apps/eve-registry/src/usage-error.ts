/** What was asked cannot be done as asked: the message says what to do instead. Exit code 2; nothing was written. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
