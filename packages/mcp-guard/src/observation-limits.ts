/** The bounds of one observation: what a hostile or broken server can cost at most. */
export interface ObservationLimits {
  /** Pages of one listing. */
  readonly maxPages: number;
  /** Items (tools, prompts, resources, templates) of one listing. */
  readonly maxItems: number;
  /** Bytes of one line. */
  readonly maxLineBytes: number;
  /** Bytes of all lines together, those of other answers too. */
  readonly maxTotalBytes: number;
  /** Bytes of the answers that a surface is read from: so much is judged in less than a second. */
  readonly maxSurfaceBytes: number;
  /** Milliseconds to wait for one answer; what else the server sends does not extend it. */
  readonly timeoutMs: number;
  /** Milliseconds for the whole observation. */
  readonly totalTimeoutMs: number;
}

/** The limits that hold where a request names none. */
export const OBSERVATION_LIMITS: ObservationLimits = Object.freeze({
  maxPages: 64,
  maxItems: 4096,
  maxLineBytes: 8 * 1024 * 1024,
  maxTotalBytes: 64 * 1024 * 1024,
  maxSurfaceBytes: 8 * 1024 * 1024,
  timeoutMs: 15_000,
  totalTimeoutMs: 120_000,
});
