import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { refusal, type RefusalCode } from "@eve/registry-schema";
import { admitToolCall, judgeParsedResult, type Surface } from "@eve/trust-admission";
import { admittedSurface, type Held, refused } from "./admitted-surface.ts";
import type {
  GuardedAnswer,
  GuardedCall,
  GuardedSession,
  GuardOptions,
  GuardRefused,
} from "./guarded-types.ts";
import { memberOf } from "./json-rpc.ts";
import { parameterHeaders } from "./parameter-headers.ts";
import { eraOf } from "./protocol-era.ts";
import { type ResultReach, resultReach } from "./result-reach.ts";

const CALL_TIMEOUT_MS = 60_000;

/** More calls than these wait for a place. */
const MAX_CALLS_AT_ONCE = 64;

/**
 * Makes a guarded session; nothing is started before the first list or call, and nothing is asked by itself. Lists and
 * calls see one admitted surface (see `admittedSurface`); a call is decided by `admitToolCall` on the registry and the
 * generation of that moment, and its answer by `judgeResult`.
 */
export function guardSession(options: GuardOptions): GuardedSession {
  const { integration, protocolVersion } = options;
  const era = eraOf(protocolVersion, options.clientCapabilities);
  const surface = admittedSurface(options);
  const places = createPlaces(MAX_CALLS_AT_ONCE);
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work, work);
    turn = next.catch(ignore);
    return next;
  };
  const no = (code: RefusalCode, expected: string, actual: string): GuardRefused =>
    refused([refusal(code, { integration, subject: "session", expected, actual })]);
  /** A fault of ours refuses, and what comes next connects anew. */
  const orRefused = async <T>(work: () => Promise<T>): Promise<T | GuardRefused> => {
    try {
      return await work();
    } catch {
      await surface.lose();
      return no("internal.error", "a decision", "an error");
    }
  };
  const ready = (isForgotten = false): Promise<Held | GuardRefused> =>
    inTurn(async () => {
      if (isClosed) return no("surface.unavailable", "an open session", "closed");
      if (isForgotten) await surface.forget();
      return surface.ready();
    });

  const send = async (
    on: Held,
    call: GuardedCall,
    args: JsonObject,
    reach: ResultReach,
  ): Promise<GuardedAnswer> => {
    const session = surface.session();
    if (session === undefined) return no("surface.unavailable", "a connection", "none");
    const { signal, onProgress } = call;
    const params = { ...era.params, name: call.tool, arguments: args };
    const timeoutMs = options.callTimeoutMs ?? CALL_TIMEOUT_MS;
    const headers = era.hasResultType ? headersOf(on.surface, call.tool, args) : {};
    const answer = await session.call("tools/call", params, {
      timeoutMs,
      headers,
      signal,
      onProgress,
    });
    if (answer.kind === "error")
      return { ok: true, kind: "error", code: answer.code, data: answer.data };
    if (answer.kind === "lost") {
      // Whoever does not answer is looked at again before the next call.
      if (signal?.aborted !== true) surface.bump();
      return lostAnswer(answer.why, call.tool, integration);
    }
    if (answer.kind === "refused") {
      await surface.lose();
      return lostAnswer(answer.refused.refusals[0].code, call.tool, integration);
    }
    const verdict = judgeParsedResult(on.admission, call.tool, answer.result, reach);
    return verdict.ok
      ? { ok: true, kind: verdict.kind, result: verdict.result, line: answer.line }
      : { ok: false, refusals: verdict.refusals, sent: true };
  };

  const decide = async (call: GuardedCall): Promise<GuardedAnswer> => {
    const on = await ready();
    if (!on.ok) return on;
    const current = options.registry();
    if (!current.ok) return refused(current.refusals);
    if (call.signal?.aborted === true)
      return { ...lostAnswer("given up by its caller", call.tool, integration), sent: false };
    // From here to the sending nothing waits: no change can come between.
    const verdict = admitToolCall(
      on.admission,
      current.registry,
      {
        tool: call.tool,
        protocolVersion,
        generation: {
          listed: isSince(call.generation, on) ? on.generation : call.generation,
          current: surface.generation(),
        },
        annotations: annotationsOf(on.surface, call.tool),
        credential: call.credential,
        scopes: call.scopes,
        consent: call.consent,
        arguments: { from: "wire", bytes: call.arguments },
      },
      options.now(),
    );
    if (!verdict.admitted) return refused(verdict.refusals);
    const reach = resultReach(current.registry, integration, on.surface);
    return send(on, call, verdict.arguments ?? {}, reach);
  };

  return {
    list: () => orRefused(() => ready()),
    call: (call) => orRefused(() => places.in(() => decide(call))),
    invalidate: () => surface.bump(),
    readmit: () => orRefused(() => ready(true)),
    generation: () => surface.generation(),
    close: () =>
      inTurn(async () => {
        isClosed = true;
        await surface.lose();
      }),
  };
}

/** A bounded number of places: who finds none waits until one is free, in order. */
function createPlaces(count: number): { in<T>(work: () => Promise<T>): Promise<T> } {
  const queue: (() => void)[] = [];
  let free = count;
  return {
    in: async (work) => {
      if (free > 0) free -= 1;
      else
        await new Promise<void>((resolve) => {
          queue.push(resolve);
        });
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

/** Whether a call was made for this observation, or for an earlier one since which the same was admitted. */
function isSince(listed: number, { since, generation }: Held): boolean {
  return Number.isSafeInteger(listed) && since <= listed && listed <= generation;
}

/** The hints of the admitted tool, as served. */
function annotationsOf({ tools }: Surface, name: string): JsonObject {
  const hints = partOf(tools, name, "annotations");
  return isJsonObject(hints) ? hints : {};
}

/** The headers that repeat arguments; none where the schema may not ask for them: the server then refuses the call. */
function headersOf(
  { tools }: Surface,
  name: string,
  args: JsonObject,
): Readonly<Record<string, string>> {
  const schema = partOf(tools, name, "inputSchema");
  return (isJsonObject(schema) && parameterHeaders(schema, args)) || {};
}

function partOf(tools: Surface["tools"], name: string, part: string): JsonValue | undefined {
  const tool = tools.find((each) => memberOf(each, "name") === name);
  return tool && memberOf(tool, part);
}

/** A call whose answer was lost may have taken effect: its remedy says so, and the cause is what was found. */
function lostAnswer(why: string, tool: string, integration: string): GuardRefused {
  const place = { integration, subject: `tools.${tool}.result`, expected: "an answer" };
  return {
    ok: false,
    refusals: [refusal("call.result_invalid", { ...place, actual: `lost: ${why}` })],
    sent: true,
  };
}

function ignore(): void {}
