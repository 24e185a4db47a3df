import type { RefusalCode } from "@eve/registry-schema";

/** A fault of what the service stands on; `code` is what its caller is told, `cause` is for the log alone. */
export class ServiceError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, options?: ErrorOptions) {
    super(code, options);
    this.name = "ServiceError";
    this.code = code;
  }
}

/** Runs what changes nothing: a fault is `service.unavailable`, and asking again is safe. */
export async function reading<T>(ask: () => Promise<T>): Promise<T> {
  return rethrown(ask, "service.unavailable");
}

/** Runs what has an effect: after a fault its outcome is unknown, which `workbench.unavailable` says. */
export async function effecting<T>(ask: () => Promise<T>): Promise<T> {
  return rethrown(ask, "workbench.unavailable");
}

async function rethrown<T>(ask: () => Promise<T>, code: RefusalCode): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ServiceError(code, { cause });
  }
}
