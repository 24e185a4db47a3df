import { type JsonObject, type JsonValue, canonicalJson } from "@eve/canonical-json";
import { isRefusalCode } from "@eve/registry-schema";
import * as z from "zod";
import { type Refused, refusedAs } from "./answers.ts";
import { type JsonResponse, fetchJson } from "./bounded-json.ts";
import { WORKBENCH_VERSION } from "./identity.ts";
import type { Answer, ToolDefinition } from "./tools/definition.ts";
import { actorId } from "./tools/fields.ts";

/** How the workbench's backend is reached. The bearer goes to `origin` alone and appears in no answer. */
export interface BffOptions {
  /** An origin that the entry lists for the credential; checked by the gate. */
  readonly origin: string;
  readonly bearer: string;
  readonly fetch: typeof fetch;
  /** Longest wait for one whole response, in ms; 30,000 if left out. */
  readonly timeoutMs?: number;
}

/** One call; `consentId` is no part of the arguments an approval is bound to. */
interface BffCall {
  readonly tool: ToolDefinition;
  readonly arguments: JsonObject;
  readonly consentId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who the bearer acts for, as the backend says. */
interface Whoami {
  readonly actor: string;
  readonly scopes: readonly string[];
}

/** The workbench's backend. Neither method rejects. */
export interface BffClient {
  /** Asks once and remembers; a refused answer is asked again at the next call. */
  whoami(): Promise<Whoami | Refused>;
  /**
   * Sends one call, once: an unknown outcome is never retried here. Answers what the tool's output schema allows;
   * `refused` with the backend's own code if the catalogue knows it, `workbench.unavailable` for no usable answer,
   * `call.result_invalid` for an answer that the schema does not allow.
   */
  call(call: BffCall): Promise<Answer>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const whoamiShape = z.object({ actor: actorId, scopes: z.array(z.string().max(128)).max(256) });

/** A client of the backend at `origin`: JSON only, no redirects, bounded in time and size. */
export function bffClient(options: BffOptions): BffClient {
  let known: Promise<Whoami | Refused> | undefined;
  const whoami = async (): Promise<Whoami | Refused> => {
    known ??= askWhoami(options);
    const answer = await known;
    if ("status" in answer) known = undefined;
    return answer;
  };
  return { whoami, call: (call) => sendCall(options, call) };
}

async function askWhoami(options: BffOptions): Promise<Whoami | Refused> {
  const response = await send(options, "/v1/whoami", { method: "GET" });
  const parsed = whoamiShape.safeParse(okValue(response));
  return parsed.success ? parsed.data : refusalOf(response);
}

async function sendCall(
  options: BffOptions,
  { tool, arguments: args, consentId, signal }: BffCall,
): Promise<Answer> {
  const body = canonicalJson({ arguments: args, ...(consentId !== undefined && { consentId }) });
  const response = await send(options, `/v1/tools/${tool.name}/calls`, {
    method: "POST",
    body,
    ...(signal && { signal }),
  });
  const value = okValue(response);
  if (value === undefined) return withOutcome(tool, refusalOf(response), response?.value);
  const answer = tool.outputSchema.safeParse(value);
  if (!answer.success || !approvesHere(answer.data, options.origin))
    return refusedAs("call.result_invalid");
  return answer.data.status === "refused" ? refusalOf(response) : answer.data;
}

function send(
  { origin, bearer, fetch: fetchLike, timeoutMs }: BffOptions,
  path: string,
  init: RequestInit,
): Promise<JsonResponse | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const headers = {
    accept: "application/json, application/problem+json",
    "accept-encoding": "identity",
    authorization: `Bearer ${bearer}`,
    "user-agent": `workbench-mcp/${WORKBENCH_VERSION}`,
    ...(init.body !== undefined && { "content-type": "application/json" }),
  };
  return fetchJson(fetchLike, `${origin}${path}`, {
    ...init,
    headers,
    signal: init.signal ? AbortSignal.any([timeout, init.signal]) : timeout,
  });
}

/** The value of a success; `undefined` for anything else. */
function okValue(response: JsonResponse | undefined): JsonValue | undefined {
  return response?.status === 200 && response.type === "application/json"
    ? response.value
    : undefined;
}

/** The backend's code with the catalogue's words; text that came over the wire is not passed on. */
function refusalOf(response: JsonResponse | undefined): Refused {
  const code = member(response?.value, "code");
  return refusedAs(
    typeof code === "string" && isRefusalCode(code) ? code : "workbench.unavailable",
  );
}

/** A refused repeat carries what was recorded, so that a client that lost the answer learns it. */
function withOutcome(
  tool: ToolDefinition,
  refused: Refused,
  problem: JsonValue | undefined,
): Answer {
  const outcome = member(problem, "outcome");
  const told =
    outcome === undefined ? undefined : tool.outputSchema.safeParse({ ...refused, outcome });
  return told?.success === true ? told.data : refused;
}

/** A person is sent to the backend that asked, never elsewhere. */
function approvesHere(answer: Answer, origin: string): boolean {
  const url = "approveUrl" in answer ? answer.approveUrl : undefined;
  return (
    url === undefined ||
    (typeof url === "string" &&
      URL.canParse(url) &&
      new URL(url).origin === origin &&
      new URL(url).username === "")
  );
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value)).get(name)
    : undefined;
}
