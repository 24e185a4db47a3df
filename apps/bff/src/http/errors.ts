import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type Failure, fail } from "../failure.ts";
import { ServiceError } from "../service-error.ts";
import { RateLimited } from "./rate-limit.ts";

/** Sends a failure in the form of its part of the service: a problem, or a page. */
export type SendFailure = (reply: FastifyReply, failure: Failure) => unknown;

/** An error handler for what is thrown in or by Fastify: its own refusals keep their meaning, faults are told to `onFault`. */
export function errorHandler(
  send: SendFailure,
  onFault: (request: FastifyRequest, error: unknown) => void,
): (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => unknown {
  return (error, request, reply) => {
    const failure = failureOf(error);
    if (failure.code === "internal.error" || error instanceof ServiceError) onFault(request, error);
    return send(reply, failure);
  };
}

/** What a client is told of an error: never its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError || error instanceof RateLimited) return fail(error.code);
  const { code, statusCode } = facts(error);
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE" || statusCode === 413) return fail("request.too_large");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE" || statusCode === 415)
    return fail("request.unsupported_media_type");
  if (statusCode === 404 || statusCode === 414) return fail("request.not_found");
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? fail("request.invalid")
    : fail("internal.error");
}

function facts(error: unknown): { readonly code?: string; readonly statusCode?: number } {
  if (!(error instanceof Error)) return {};
  return {
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("statusCode" in error &&
      typeof error.statusCode === "number" && { statusCode: error.statusCode }),
  };
}
