import { type JsonObject, type JsonValue, isJsonObject } from "@eve/canonical-json";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import type { AppOptions } from "../app-options.ts";
import { type AdmittedTool, admitAtOnce, admitCall } from "../call-gate.ts";
import type { Caller } from "../database/database.ts";
import { type Failure, type Result, fail } from "../failure.ts";
import { askApproval, executeApproved, executeAtOnce, voidApproval } from "../publish.ts";
import { TOOLS } from "../tools/index.ts";
import type { Answer } from "../tools/tool.ts";
import { authenticateRequest, recalledCallerOf } from "./authentication.ts";
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
    const name = request.params.tool;
    const recalled = recalledCallerOf(request);
    const atOnce = recalled && (await executeKnown(options, request, recalled, name));
    const answer = atOnce ?? (await answerRequest(options, request, name));
    return answer.ok ? reply.send(answer.value) : sendFailure(reply, answer);
  });
}

/** An execution by a caller that was authenticated lately, in one round trip; `undefined` where it must go the whole way. */
async function executeKnown(
  options: AppOptions,
  request: FastifyRequest,
  caller: Caller,
  name: string,
): Promise<Result<Answer> | undefined> {
  const admitted = admitAtOnce(options, caller, name);
  if (admitted?.tool.publishes !== true) return undefined;
  const body = readBody<CallBody>(request, callBody);
  if (!body.ok || body.value.consentId === undefined) return undefined;
  const { arguments: args, consentId } = body.value;
  const prepared = TOOLS.get(name)?.prepare(args);
  if (!prepared?.ok || prepared.value.kind !== "publish") return undefined;
  const { tool, under } = admitted;
  const publication = { options, caller, tool, arguments: args, ready: prepared.value };
  return executeAtOnce(publication, under, consentId);
}

async function answerRequest(
  options: AppOptions,
  request: FastifyRequest,
  name: string,
): Promise<Result<Answer>> {
  const caller = await authenticateRequest(options, request);
  if (!caller.ok) return caller;
  const tool = await admitCall(options, caller.value, name);
  if (!tool.ok) {
    await voidWhatItCameWith(options, request, caller.value, tool);
    return tool;
  }
  const body = readBody<CallBody>(request, callBody);
  return body.ok ? answerCall(options, caller.value, tool.value, body.value) : body;
}

/** A quarantined or revoked entry ends the approval that is to be used under it. */
async function voidWhatItCameWith(
  options: AppOptions,
  request: FastifyRequest,
  caller: Caller,
  { code }: Failure,
): Promise<void> {
  if (code !== "lifecycle.quarantined" && code !== "lifecycle.revoked") return;
  const body = readBody<CallBody>(request, callBody);
  const consentId = body.ok ? body.value.consentId : undefined;
  if (consentId !== undefined) await voidApproval(options, caller, consentId, code);
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
