import { createHash } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** How many requests a minute are served. */
export interface RateLimits {
  /** From one address (of IPv6, one /64), whatever it presents; counted before anything else is done. */
  readonly perAddress: number;
  /** By one client for one subject, from wherever; counted once its token is verified. */
  readonly perSubject: number;
}

/** The limits that hold where none are named. */
export const RATE_LIMITS: RateLimits = Object.freeze({ perAddress: 600, perSubject: 240 });

/** Whose requests are counted together. */
interface Counted {
  readonly subject: string;
  readonly clientId: string;
}

/** Counts a request; answers the seconds to wait where it is one too many, else undefined. */
export interface RateLimiters {
  byAddress(request: FastifyRequest): Promise<number | undefined>;
  bySubject(request: FastifyRequest, who: Counted): Promise<number | undefined>;
}

const WINDOW_MS = 60_000;

/** Counters held at once, of each kind; the least recently used goes first. */
const MAX_COUNTERS = 10_000;

/** Sets up both limiters on an app (MUST-RS-19). They count on the machine's clock: a minute is no date. */
export async function rateLimitersOf(
  app: FastifyInstance,
  { perAddress, perSubject }: RateLimits,
): Promise<RateLimiters> {
  await app.register(rateLimit, { global: false, cache: MAX_COUNTERS, timeWindow: WINDOW_MS });
  const subjects = new WeakMap<FastifyRequest, string>();
  const byAddress = app.createRateLimit({
    max: perAddress,
    timeWindow: WINDOW_MS,
  });
  const bySubject = app.createRateLimit({
    max: perSubject,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => subjects.get(request) ?? "",
  });
  return {
    byAddress: async (request) => secondsToWait(await byAddress(request)),
    bySubject: async (request, { subject, clientId }) => {
      subjects.set(request, digestOf([clientId, subject]));
      return secondsToWait(await bySubject(request));
    },
  };
}

type Counting = Awaited<ReturnType<ReturnType<FastifyInstance["createRateLimit"]>>>;

function secondsToWait(counting: Counting): number | undefined {
  if (counting.isAllowed || !counting.isExceeded) return undefined;
  return Math.max(1, counting.ttlInSeconds);
}

/** A key of fixed size, whatever the names hold. */
function digestOf(names: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(names)).digest("base64url");
}
