import type { FastifyInstance } from "fastify";
import { callerOf } from "./authentication.ts";

/** `GET /v1/whoami`: who the bearer acts for and what it permits. */
export function addWhoami(part: FastifyInstance): void {
  part.get("/whoami", (request, reply) => {
    const { actor, principal, tenant, scopes, class: credentialClass, realm } = callerOf(request);
    return reply.send({ actor, principal, tenant, scopes, class: credentialClass, realm });
  });
}
