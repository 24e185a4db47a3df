import type { RefusalCode } from "@eve/registry-schema";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What a log gets to know: a request that ended, or a fault inside one. */
export type LogEvent =
  | {
      readonly event: "bff.request";
      readonly requestId: string;
      readonly method: string;
      /** The route's pattern, never the path that was asked. */
      readonly route: string;
      readonly status: number;
      readonly code: RefusalCode | null;
      readonly ms: number;
    }
  | {
      readonly event: "bff.fault";
      readonly requestId: string;
      readonly route: string;
      /** Class and code of the error and of its cause; messages may quote values and are left out. */
      readonly faults: readonly string[];
    };

const codes = new WeakMap<FastifyRequest, RefusalCode>();

/** Remembers what a request was refused with, for its log event. */
export function noteCode(request: FastifyRequest, code: RefusalCode): void {
  codes.set(request, code);
}

/** Logs each request when its response is out. */
export function logRequests(app: FastifyInstance, log: (event: LogEvent) => void): void {
  app.addHook("onResponse", async (request, reply) => {
    log({
      event: "bff.request",
      requestId: request.id,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      code: codes.get(request) ?? null,
      ms: Math.round(reply.elapsedTime),
    });
  });
}

/** The event of a fault inside a request. */
export function faultEvent(request: FastifyRequest, error: unknown): LogEvent {
  return {
    event: "bff.fault",
    requestId: request.id,
    route: routeOf(request),
    faults: faultsOf(error),
  };
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "none";
}

/** Names down the chain of causes: `ServiceError`, `error 57P01`. */
function faultsOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const own = `${error.name}${code}`.replaceAll(/[^\w. -]/g, "").slice(0, 80);
  return [own, ...faultsOf(error.cause, depth + 1)];
}
