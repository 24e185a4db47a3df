import { type JsonObject, type JsonValue, isJsonObject } from "@eve/canonical-json";
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { AppOptions } from "../app-options.ts";
import { type AdmittedTool, admitCall } from "../call-gate.ts";
import type { Caller } from "../database/database.ts";
import { type Result, fail } from "../failure.ts";
import { askApproval, executeApproved } from "../publish.ts";
import { TOOLS } from "../tools/index.ts";
import type { Answer } from "../tools/tool.ts";
import { callerOf } from "./authentication.ts";
import { sendFailure } from "./problem.ts";
import { readBody } from "./strict-body.ts";

/** `consentId` is no part of the arguments that an approval is bound to. */
const callBody = z.strictObject({
  arguments: z.custom<JsonObject>((value) => isJsonObject(asJson(value))),
  consentId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,64}$/)
    .exactOptional(),
});

interface CallBody {
  readonly arguments: JsonObject;
  readonly consentId?: string;
}

/** `POST /v1/tools/{tool}/calls`: one call of one tool, each time behind the whole gate. */
export function addToolCalls(part: FastifyInstance, options: AppOptions): void {
  part.post<{ Params: { tool: string } }>("/tools/:tool/calls", async (request, reply) => {
    const caller = callerOf(request);
    const tool = await admitCall(options, caller, request.params.tool);
    if (!tool.ok) return sendFailure(reply, tool);
    const body = readBody<CallBody>(request, callBody);
    if (!body.ok) return sendFailure(reply, body);
    const answer = await answerCall(options, caller, tool.value, body.value);
    return answer.ok ? reply.send(answer.value) : sendFailure(reply, answer);
  });
}

async function answerCall(
  options: AppOptions,
  caller: Caller,
  tool: AdmittedTool,
  { arguments: args, consentId }: CallBody,
): Promise<Result<Answer>> {
  const prepared = TOOLS.get(tool.name)?.prepare(args) ?? fail("call.tool_unpinned");
  if (!prepared.ok) return prepared;
  const ready = prepared.value;
  // The entry alone says what publishes; code that disagrees with it runs neither way.
  if (tool.publishes !== (ready.kind === "publish")) return fail("call.annotation_mismatch");
  if (ready.kind === "publish") {
    const publication = { options, caller, tool, arguments: args, ready };
    return consentId === undefined
      ? askApproval(publication)
      : executeApproved(publication, consentId);
  }
  return consentId === undefined
    ? ready.run(options.database, caller)
    : fail("request.invalid", { detail: "body.consentId" });
}

function asJson(value: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict parser made it
  return value as JsonValue;
}
