import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { isSameId, memberOf, type RpcId, type RpcMessage } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Refuse, Refused } from "./observation-refusal.ts";
import type { StopCode } from "./read-messages.ts";
import {
  type Answer,
  answerTo,
  type CallOptions,
  isListChange,
  type Lost,
  type SessionEvents,
} from "./session.ts";

/** How many requests a server may make of its observer before it is no longer answered. */
export const MAX_SERVER_REQUESTS = 256;

/** To how many requests that were given up a late answer is dropped. */
const MAX_GIVEN_UP = 1_024;

/** One request of ours that waits. */
export interface Pending<T = Answer | Lost> {
  readonly id: number;
  readonly method: string;
  /** Resolves with what came of it; never rejects. */
  readonly outcome: Promise<T>;
  /** What is sent as its params. */
  readonly params: JsonObject;
  isOver(): boolean;
  /** Its answer, as soon as it was read. */
  answer(): Answer | undefined;
  /** Hands on the answer that was read. */
  settle(): void;
  /** There will be no answer: ends a call alone, and with anything else the session. */
  lose(why: string): void;
}

/** What happens to requests beside their answers. */
export interface BookEvents extends Partial<SessionEvents> {
  /** Sends an answer to a request of the server. */
  reply(message: JsonObject): void;
  /** A call is given up: the server is to be told, as the transport does. */
  givenUp(id: number): void;
  /** A stream that the server was asked to keep open is closed. */
  streamEnded?(id: RpcId, kind: "result" | "error"): void;
  /** The session is over. */
  stopped?(): void;
}

/** The requests of one session, and everything that a server says on it. */
export interface RequestBook {
  /** An id for a request that nothing waits for. */
  nextId(): number;
  /** Writes down a request; it is over at once where the session is. */
  open(method: string, params: JsonObject): Pending<Answer>;
  /** As `open`, for a call that may be lost while the session goes on. */
  openCall(method: string, params: JsonObject, call: CallOptions): Pending;
  /** Takes a message; `own` is the request on whose response it came, where the transport tells. */
  take(message: RpcMessage, line: Uint8Array, own?: Pending<unknown>): void;
  /** Names a request whose answer is the end of a stream. */
  stream(id: RpcId): void;
  stop(code: StopCode, expected: string, actual: string): void;
  /** Counts the server's requests from here. */
  renew(): void;
  watchChanges(): void;
  hasChanged(): boolean;
  failure(): Refused | undefined;
}

interface Waiting<T = Answer | Lost> extends Pending<T> {
  /** Ends it, once. */
  finish(answer: Answer): void;
  read(answer: Answer): void;
  report(params: JsonObject): void;
  /** Starts its clock, and hears its caller's signal. */
  limit(timeoutMs: number): void;
}

type Waits = Omit<Waiting, "outcome">;

/**
 * Keeps the requests of one session apart by their ids, so that any number of them may wait at once. An answer that
 * nothing asked for, or a second one, ends the session (`protocol.framing`), and so does an error without an id
 * (`surface.unavailable`); the one late answer to a call that was given up is dropped. A server's `ping` is answered,
 * its other requests are refused with -32601 (no capability was admitted), its notifications are dropped but list
 * changes and the progress of a call that asked for it.
 */
export function requestBook(
  limits: ObservationLimits,
  refuse: Refuse,
  events: BookEvents,
): RequestBook {
  const waiting = new Map<RpcId, Waits>();
  const givenUp = new Set<RpcId>();
  const streams = new Set<RpcId>();
  let failure: Refused | undefined;
  let lastId = 0;
  let serverRequests = 0;
  let isChanged = false;

  const stop: RequestBook["stop"] = (code, expected, actual) => {
    if (failure !== undefined) return;
    const [first, ...others] = waiting.values();
    const subject = first !== undefined && others.length === 0 ? first.method : "connection";
    failure = refuse(code, { subject, expected, actual });
    for (const each of waiting.values()) each.finish({ kind: "refused", refused: failure });
    events.stopped?.();
  };
  const unavailable = (actual: string): void => stop("surface.unavailable", "an answer", actual);
  const misframed = (): void =>
    stop("protocol.framing", "one answer to the request", "an answer to no request");

  /** Most servers answer nothing any more: only the newest are remembered. */
  const dropAnswerTo = (id: RpcId): void => {
    givenUp.add(id);
    if (givenUp.size <= MAX_GIVEN_UP) return;
    for (const oldest of givenUp) return void givenUp.delete(oldest);
  };
  const begin = <T extends Waits>(request: T, timeoutMs: number): T => {
    if (failure !== undefined) request.finish({ kind: "refused", refused: failure });
    else {
      waiting.set(request.id, request);
      request.limit(timeoutMs);
    }
    return request;
  };
  const ended = (id: number): void => void waiting.delete(id);
  const open: RequestBook["open"] = (method, params) => {
    lastId += 1;
    const request = createWaiting<never>({ id: lastId, method, params }, undefined, {
      ended,
      lost: (why) => {
        unavailable(why);
        return undefined;
      },
    });
    return begin(request, limits.timeoutMs);
  };
  const openCall: RequestBook["openCall"] = (method, params, call) => {
    lastId += 1;
    const request = createWaiting<Lost>({ id: lastId, method, params }, call, {
      ended,
      lost: (why, id) => {
        dropAnswerTo(id);
        events.givenUp(id);
        return { kind: "lost", why };
      },
    });
    return begin(request, call.timeoutMs);
  };

  const onAnswer = (
    message: Extract<RpcMessage, { kind: "result" | "error" }>,
    line: Uint8Array,
    own: Pending<unknown> | undefined,
  ): void => {
    const { id, kind } = message;
    if (kind === "error" && id === null)
      return unavailable(`error ${message.error.code} to no request`);
    if (id === null) return misframed();
    if (own !== undefined && !isSameId(own.id, id)) return misframed();
    if (streams.delete(id)) return events.streamEnded?.(id, kind);
    const request = waiting.get(id);
    if (request === undefined) return givenUp.delete(id) ? undefined : misframed();
    if (request.answer() !== undefined) return misframed();
    request.read(toAnswer(message, line));
    // Where answers come on responses of their own, what follows in the same response is read first.
    if (own === undefined) request.settle();
  };
  const onServerRequest = (id: RpcId, method: string): void => {
    serverRequests += 1;
    if (serverRequests > MAX_SERVER_REQUESTS) unavailable("a server that asks without end");
    else events.reply({ jsonrpc: "2.0", id, ...answerTo(method) });
  };
  const onNotification = (method: string, params: JsonObject = {}): void => {
    if (method === "notifications/progress") {
      const token = memberOf(params, "progressToken");
      if (typeof token === "number") waiting.get(token)?.report(params);
    } else if (method === "notifications/cancelled") {
      // MCP 2026-07-28: a server cancels nothing but the streams that it was asked for.
      const id = memberOf(params, "requestId");
      if (!isRpcId(id) || !streams.delete(id)) return;
      dropAnswerTo(id);
      events.streamEnded?.(id, "result");
    } else if (isListChange(method)) {
      isChanged = true;
      events.changed?.();
    }
  };

  return {
    nextId: () => (lastId += 1),
    open,
    openCall,
    take: (message, line, own) => {
      if (failure !== undefined) return;
      if (message.kind === "request") onServerRequest(message.id, message.method);
      else if (message.kind === "notification") onNotification(message.method, message.params);
      else onAnswer(message, line, own);
    },
    stream: (id) => void streams.add(id),
    stop,
    renew: () => {
      serverRequests = 0;
    },
    watchChanges: () => {
      isChanged = false;
    },
    hasChanged: () => isChanged,
    failure: () => failure,
  };
}

/** One request, its clock and its caller's signal; `lost` answers what it ends with, if not with its session. */
function createWaiting<T>(
  { id, method, params }: Pick<Pending, "id" | "method" | "params">,
  call: CallOptions | undefined,
  on: { ended(id: number): void; lost(why: string, id: number): T | undefined },
): Waiting<Answer | T> {
  const outcome = Promise.withResolvers<Answer | T>();
  let isOver = false;
  let answer: Answer | undefined;
  let patience: NodeJS.Timeout | undefined;
  let reported = Number.NEGATIVE_INFINITY;
  const finish = (how: Answer | T): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(patience);
    call?.signal?.removeEventListener("abort", aborted);
    on.ended(id);
    outcome.resolve(how);
  };
  const lose = (why: string): void => {
    const how = isOver ? undefined : on.lost(why, id);
    if (how !== undefined) finish(how);
  };
  const aborted = (): void => lose("given up by its caller");
  return {
    id,
    method,
    params: call?.onProgress === undefined ? params : withToken(params, id),
    outcome: outcome.promise,
    isOver: () => isOver,
    answer: () => answer,
    settle: () => {
      if (answer !== undefined) finish(answer);
    },
    lose,
    finish,
    read: (how) => {
      answer = how;
    },
    report: ({ progress, total }) => {
      if (isOver || typeof progress !== "number" || progress <= reported) return;
      reported = progress;
      try {
        call?.onProgress?.({ progress, total: typeof total === "number" ? total : undefined });
      } catch {
        // The caller's own fault ends nothing.
      }
    },
    limit: (timeoutMs) => {
      patience = setTimeout(() => lose(`no answer within ${timeoutMs} ms`), timeoutMs);
      call?.signal?.addEventListener("abort", aborted, { once: true });
    },
  };
}

/** The answer that a message is; `line` is its exact bytes. */
function toAnswer(
  message: Extract<RpcMessage, { kind: "result" | "error" }>,
  line: Uint8Array,
): Answer {
  return message.kind === "result"
    ? { kind: "result", result: message.result, line }
    : { kind: "error", code: message.error.code, data: message.error.data };
}

/** MCP, progress: a request asks for it by a token, and its id is one that no other request of ours has. */
function withToken(params: JsonObject, progressToken: number): JsonObject {
  const meta = memberOf(params, "_meta");
  return { ...params, _meta: { ...(isJsonObject(meta) && meta), progressToken } };
}

function isRpcId(id: JsonValue | undefined): id is RpcId {
  return typeof id === "string" || typeof id === "number";
}
