import rateLimit from "@fastify/rate-limit";
import type { RefusalCode } from "@eve/registry-schema";
import type { FastifyInstance } from "fastify";
import type { AppOptions } from "../app-options.ts";

/** Thrown by the limiter; answered as any other refusal, beside `Retry-After`. */
export class RateLimited extends Error {
  readonly code: RefusalCode = "request.rate_limited";
}

const PROBES: readonly (string | undefined)[] = ["/livez", "/readyz"];

/** Limits requests by address before anything is authenticated or read; 404s count too, probes do not. */
export async function limitByAddress(
  app: FastifyInstance,
  { max, windowMs }: NonNullable<AppOptions["rateLimit"]>,
): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    addHeaders: { "retry-after": true },
    errorResponseBuilder: () => new RateLimited(),
  });
  // A hook of the root runs before those of the parts below it, which authenticate.
  app.addHook(
    "onRequest",
    app.rateLimit({
      max,
      timeWindow: windowMs,
      allowList: (request) => PROBES.includes(request.routeOptions.url),
    }),
  );
}
