import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { AppOptions } from "../app-options.ts";
import { approveUrl } from "../consent-address.ts";
import { decide, findConsent } from "../consents.ts";
import type { ConsentView } from "../database/database.ts";
import type { Result } from "../failure.ts";
import { sha256Hex, text } from "../tools/fields.ts";
import { callerOf } from "./authentication.ts";
import { sendFailure } from "./problem.ts";
import { readBody } from "./strict-body.ts";

const decisionBody = z.strictObject({ digest: sha256Hex, reason: text(1000) });

type ConsentRequest = FastifyRequest<{ Params: { id: string } }>;

/** `GET /v1/consents/{id}`, and `POST …/approve` and `…/decline` for operators. */
export function addConsents(part: FastifyInstance, options: AppOptions): void {
  part.get("/consents/:id", async (request: ConsentRequest, reply) =>
    send(options, reply, await findConsent(options, callerOf(request), request.params.id)),
  );
  for (const decision of ["approve", "decline"] as const)
    part.post(`/consents/:id/${decision}`, async (request: ConsentRequest, reply) => {
      const body = readBody(request, decisionBody);
      if (!body.ok) return sendFailure(reply, body);
      const caller = callerOf(request);
      const { id } = request.params;
      return send(options, reply, await decide(options, caller, id, { decision, ...body.value }));
    });
}

function send(
  { publicOrigin }: AppOptions,
  reply: FastifyReply,
  consent: Result<ConsentView>,
): FastifyReply {
  if (!consent.ok) return sendFailure(reply, consent);
  return reply.send({ ...consent.value, approveUrl: approveUrl(publicOrigin, consent.value.id) });
}
