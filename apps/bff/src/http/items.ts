import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { AppOptions } from "../app-options.ts";
import { fail } from "../failure.ts";
import { effecting } from "../service-error.ts";
import { text } from "../tools/fields.ts";
import { callerOf } from "./authentication.ts";
import { sendFailure } from "./problem.ts";
import { readBody } from "./strict-body.ts";

const itemBody = z.strictObject({ title: text(200), description: text(8000, 0).default("") });

/** `POST /v1/items`: an operator creates a work item; answers 201 with it. */
export function addItems(part: FastifyInstance, { database }: AppOptions): void {
  part.post("/items", async (request, reply) => {
    const caller = callerOf(request);
    if (caller.class !== "operator") return sendFailure(reply, fail("auth.realm_refused"));
    const body = readBody(request, itemBody);
    if (!body.ok) return sendFailure(reply, body);
    const made = await effecting(() => database.createItem(caller, body.value));
    return made.ok ? reply.code(201).send({ item: made.value }) : sendFailure(reply, made);
  });
}
