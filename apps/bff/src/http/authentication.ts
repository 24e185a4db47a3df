import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppOptions } from "../app-options.ts";
import type { Caller } from "../database/database.ts";
import { type Result, fail, succeed } from "../failure.ts";
import { judgeRealm } from "../realm.ts";
import { reading } from "../service-error.ts";
import { sendFailure } from "./problem.ts";

const callers = new WeakMap<FastifyRequest, Caller>();
const recalled = new WeakMap<FastifyRequest, Caller>();

/** Who sent an authenticated request; throws where no authentication ran. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined)
    throw new TypeError("a route without authentication asked for its caller");
  return caller;
}

/** Authenticates each request of a part of the service before its body is read. */
export function authenticateRequests(part: FastifyInstance, options: AppOptions): void {
  part.addHook("onRequest", async (request, reply) => {
    const caller = await authenticateRequest(options, request);
    if (!caller.ok) return sendFailure(reply, caller);
  });
}

/**
 * The same for a part whose routes ask {@link authenticateRequest} themselves where a caller that was authenticated
 * lately is not enough: bodies of such a one are read before the database was asked, and of nobody else.
 */
export function recallRequests(part: FastifyInstance, options: AppOptions): void {
  part.addHook("onRequest", async (request, reply) => {
    const bearer = readBearer(request.raw.rawHeaders);
    const isRefused = options.auditRefusal?.() !== undefined;
    const known = bearer.ok && !isRefused ? options.database.recall(bearer.value) : undefined;
    if (known !== undefined) {
      recalled.set(request, known);
      return;
    }
    const caller = await authenticateRequest(options, request);
    if (!caller.ok) return sendFailure(reply, caller);
  });
}

/** Who was behind the request's bearer when it was seen last; nobody where the request is authenticated by now. */
export function recalledCallerOf(request: FastifyRequest): Caller | undefined {
  return callers.has(request) ? undefined : recalled.get(request);
}

/** Who sent a request, by the database. A request that is authenticated already is not again. */
export async function authenticateRequest(
  options: AppOptions,
  request: FastifyRequest,
): Promise<Result<Caller>> {
  const known = callers.get(request);
  if (known !== undefined) return succeed(known);
  const bearer = readBearer(request.raw.rawHeaders);
  const caller = bearer.ok ? await findCaller(options, bearer.value) : bearer;
  if (caller.ok) callers.set(request, caller.value);
  return caller;
}

/**
 * The bearer of raw header lines (name, value, name, …). None: `auth.token_missing`. More than one Authorization line:
 * `request.invalid`, since two readers might take different ones. Another form than `Bearer <token>`: `auth.token_invalid`.
 */
export function readBearer(rawHeaders: readonly string[]): Result<string> {
  const sent = rawHeaders.filter(
    (_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization",
  );
  if (sent.length > 1)
    return fail("request.invalid", { detail: "more than one Authorization header" });
  const [header] = sent;
  if (header === undefined) return fail("auth.token_missing");
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  return token === undefined ? fail("auth.token_invalid") : succeed(token);
}

/** The caller behind a bearer, if it is valid now and of the deployment's realm, on a database that has what was signed of it. */
export async function findCaller(
  { database, registry, auditRefusal }: AppOptions,
  bearer: string,
): Promise<Result<Caller>> {
  const rolledBack = auditRefusal?.();
  if (rolledBack !== undefined) return fail(rolledBack);
  const caller = await reading(() => database.authenticate(bearer));
  return caller.ok ? judgeRealm(registry(), caller.value) : caller;
}
