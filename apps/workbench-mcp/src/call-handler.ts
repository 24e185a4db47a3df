import type { JsonObject } from "@eve/canonical-json";
import { type Registry, type RegistryResult, isPublishing } from "@eve/registry-schema";
import {
  type Admission,
  admitToolCall,
  annotationsFor,
  requireAdmission,
} from "@eve/trust-admission";
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { type Refused, refusedAs, refusedBy, toResult } from "./answers.ts";
import type { BffClient } from "./bff-client.ts";
import { type Round, elicitApproval, readRound } from "./elicitation.ts";
import { awaitDecision } from "./pending-wait.ts";
import { TOKEN_VARIABLE } from "./identity.ts";
import { ERA_VERSION, type Era } from "./protocol-era.ts";
import type { ToolHandler } from "./server-factory.ts";
import type { Answer, ToolDefinition } from "./tools/definition.ts";

/** What a call handler joins. */
export interface CallDeps {
  /** The proof that this surface was admitted; a forged one is refused when the handler is made. */
  readonly admission: Admission;
  readonly era: Era;
  /** The origin the bearer goes to. */
  readonly destination: string;
  /** The registry's state now. */
  readonly registry: () => RegistryResult;
  readonly bff: BffClient;
  /** Epoch ms. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Takes a fault inside a call, after the call was refused. */
  readonly fail: (error: unknown) => void;
}

/**
 * Answers tool calls: arguments, then governance repeated against the registry as it is now, then who the bearer is,
 * then the backend. Each refusal is an answer of the tool's output schema. Throws `admission.forged`, once, when made.
 */
export function callHandler(deps: CallDeps): ToolHandler {
  requireAdmission(deps.admission);
  return async (tool, args, context) => {
    try {
      return await answerCall(deps, tool, args, context);
    } catch (error) {
      setImmediate(() => deps.fail(error));
      return toResult(refusedAs("internal.error"));
    }
  };
}

async function answerCall(
  deps: CallDeps,
  tool: ToolDefinition,
  args: unknown,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const parsed = tool.inputSchema.safeParse(args);
  if (!parsed.success) return toResult(refusedAs("call.arguments_invalid"));
  const { consentId: given, ...rest } = parsed.data;
  const round = readRound(deps.era, takesConsent(deps.admission, tool), context);
  if (round.declined) return toResult(round.declined);
  const consentId = typeof given === "string" ? given : round.consentId;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a tool's schema lets nothing but JSON through
  const sent = rest as JsonObject;
  const ask = (): Promise<Answer> => askBackend(deps, tool, sent, consentId, context.mcpReq.signal);
  const answer =
    consentId === undefined ? await ask() : await awaitDecision(ask, { ...deps, context });
  return finish(answer, consentId, round);
}

function takesConsent(admission: Admission, { name }: ToolDefinition): boolean {
  const pinned = admission.tools.get(name);
  return pinned !== undefined && isPublishing(pinned.riskClass);
}

/** One request to the backend, each time behind the whole combined admission (ADR-0092). */
async function askBackend(
  deps: CallDeps,
  tool: ToolDefinition,
  args: JsonObject,
  consentId: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const refusedBefore = judgeCall(deps, tool, undefined);
  if (refusedBefore) return refusedBefore;
  const whoami = await deps.bff.whoami();
  if ("status" in whoami) return whoami;
  return (
    judgeCall(deps, tool, whoami.scopes) ??
    deps.bff.call({ tool, arguments: args, consentId, signal })
  );
}

/** The surface is this program's own code, measured before it serves. */
const ONE_GENERATION = { listed: 1, current: 1 };

/** `undefined`: the call may be made. Without scopes, what the bearer permits is not judged yet. */
function judgeCall(
  { admission, era, destination, registry, now }: CallDeps,
  { name }: ToolDefinition,
  scopes: readonly string[] | undefined,
): Refused | undefined {
  const current = registry();
  if (!current.ok) return refusedBy(current.refusals[0]);
  const riskClass = admission.tools.get(name)?.riskClass;
  const annotations: JsonObject = riskClass ? { ...annotationsFor(riskClass) } : {};
  const call = {
    tool: name,
    protocolVersion: ERA_VERSION[era],
    annotations,
    credential: { id: bearerIdIn(current.registry, admission.integration), destination },
    scopes,
    consent: { by: "backend" },
    generation: ONE_GENERATION,
    arguments: { from: "own-schema" },
  } as const;
  const verdict = admitToolCall(admission, current.registry, call, now());
  return verdict.admitted ? undefined : refusedBy(verdict.refusals[0]);
}

/** The entry's name for the credential this program holds; none matches where the entry has none. */
function bearerIdIn(registry: Registry, integration: string): string {
  const record = registry.integrations.get(integration);
  const credentials = record?.status === "complete" ? record.entry.credentials : [];
  return credentials.find(({ env }) => env === TOKEN_VARIABLE)?.id ?? "";
}

/** The first approval_required of a client that can open a URL becomes a round of its own; all else is said at once. */
function finish(
  answer: Answer,
  consentId: string | undefined,
  { canElicit }: Round,
): CallToolResult | InputRequiredResult {
  const elicited = canElicit && consentId === undefined ? elicitApproval(answer) : undefined;
  return elicited ?? toResult(answer);
}
