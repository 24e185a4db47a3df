import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import type { AppOptions } from "./app-options.ts";
import { fail } from "./failure.ts";
import { authenticateRequests, recallRequests } from "./http/authentication.ts";
import { answerBrokenRequest } from "./http/broken-request.ts";
import { addConsents } from "./http/consents.ts";
import { addDecisionPage, sendRefusalPage } from "./http/decision-page.ts";
import { errorHandler, failureOf } from "./http/errors.ts";
import { addItems } from "./http/items.ts";
import { faultEvent, logRequests } from "./http/log.ts";
import { addProbes } from "./http/probes.ts";
import { sendFailure } from "./http/problem.ts";
import { limitByAddress } from "./http/rate-limit.ts";
import { takeRawJson } from "./http/strict-body.ts";
import { addToolCalls } from "./http/tool-calls.ts";
import { addWhoami } from "./http/whoami.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const RATE_LIMIT = { max: 1200, windowMs: 60_000 };
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * The HTTP service, from values alone: no environment, no file, no clock of its own. Closing it ends open requests
 * first and then closes the database. Every refusal is `application/problem+json` with a code of the catalogue; at the
 * decision page it is a page.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const log = options.log ?? ((): void => {});
  const app = Fastify({
    bodyLimit: 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request that comes on an open connection while closing is still answered whole.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, _request, reply) => void sendFailure(reply, failureOf(error)),
  });
  const handleErrors = (
    send: Parameters<typeof errorHandler>[0],
  ): ReturnType<typeof errorHandler> =>
    errorHandler(send, (request, error) => log(faultEvent(request, error)));

  logRequests(app, log);
  app.addHook("onRequest", async (_request, reply) => void reply.headers(HEADERS));
  await limitByAddress(app, options.rateLimit ?? RATE_LIMIT);
  app.removeAllContentTypeParsers();
  app.setErrorHandler(handleErrors(sendFailure));
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, fail("request.not_found")));
  app.addHook("onClose", () => options.database.close());

  addProbes(app, options);
  await app.register(
    async (part) => {
      authenticateRequests(part, options);
      takeRawJson(part);
      addWhoami(part);
      addConsents(part, options);
      addItems(part, options);
    },
    { prefix: "/v1" },
  );
  await app.register(
    async (part) => {
      recallRequests(part, options);
      takeRawJson(part);
      addToolCalls(part, options);
    },
    { prefix: "/v1" },
  );
  await app.register(async (part) => {
    part.setErrorHandler(handleErrors(sendRefusalPage));
    await addDecisionPage(part, options);
  });
  return app;
}
