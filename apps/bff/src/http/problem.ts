import { CATALOGUE } from "@eve/registry-schema";
import type { FastifyReply } from "fastify";
import type { Failure } from "../failure.ts";
import { noteCode } from "./log.ts";

/** The HTTP status of a failure: its code's. */
export function statusOf({ code }: Failure): number {
  return CATALOGUE[code].http;
}

/**
 * The RFC 9457 body of a failure. It holds the catalogue's words and nothing of the request but a field's path, so the
 * same code about two things that a caller may not see is the same bytes.
 */
export function problemText(failure: Failure): string {
  const { code, detail, outcome, state } = failure;
  const { title, remedy } = CATALOGUE[code];
  return JSON.stringify({
    type: `urn:eve:refusal:${code}`,
    title,
    status: statusOf(failure),
    code,
    remedy,
    ...(detail !== undefined && { detail }),
    ...(outcome !== undefined && { outcome }),
    ...(state !== undefined && { state }),
  });
}

/** Answers a failure as `application/problem+json`, with the challenge that RFC 6750 asks for. */
export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  return challenge(reply, failure)
    .code(statusOf(failure))
    .type("application/problem+json; charset=utf-8")
    .send(problemText(failure));
}

/** Sets the challenge of a failure that has one (RFC 6750 section 3), and notes its code for the log. */
export function challenge(reply: FastifyReply, failure: Failure): FastifyReply {
  noteCode(reply.request, failure.code);
  const value = challengeOf(failure);
  return value === undefined ? reply : reply.header("www-authenticate", value);
}

const REALM = 'Bearer realm="eve-workbench"';

function challengeOf(failure: Failure): string | undefined {
  if (failure.code === "auth.token_missing") return REALM;
  if (failure.code === "auth.scope_insufficient") {
    const scope = failure.scopes === undefined ? "" : `, scope="${failure.scopes.join(" ")}"`;
    return `${REALM}, error="insufficient_scope"${scope}`;
  }
  return statusOf(failure) === 401 ? `${REALM}, error="invalid_token"` : undefined;
}
