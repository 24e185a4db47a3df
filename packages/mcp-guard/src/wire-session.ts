import type { Readable, Writable } from "node:stream";
import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { isSameId, type RpcId, type RpcMessage } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Refuse, Refused } from "./observation-refusal.ts";
import { readMessages, type StopCode } from "./read-messages.ts";

/** The two byte streams of one connection: newline-delimited JSON-RPC in both directions. */
export interface WireChannel {
  readonly toServer: Writable;
  readonly fromServer: Readable;
}

/** What a request got: a result with its exact line, the peer's error, or the refusal that ended the session. */
export type Answer =
  | { readonly kind: "result"; readonly result: JsonObject; readonly line: Uint8Array }
  | { readonly kind: "error"; readonly code: number; readonly data: JsonValue | undefined }
  | { readonly kind: "refused"; readonly refused: Refused };

/** A client's side of one connection that asks one request at a time. */
export interface WireSession {
  /** Asks and waits, at most `timeoutMs`. Never rejects; after a refusal every further request gets that refusal. */
  ask(method: string, params: JsonObject): Promise<Answer>;
  notify(method: string): void;
  /** Starts to watch for a `list_changed` of any list. */
  watchChanges(): void;
  /** Whether a list changed since the watch began. */
  hasChanged(): boolean;
  /** The refusal that ended the session, if one did. */
  failure(): Refused | undefined;
  /** Lets go of the streams without ending them; what still comes is not read. */
  close(): void;
}

/** JSON-RPC's "method not found". */
export const METHOD_NOT_FOUND = -32601;

/** How many requests a server may make of its observer before it is no longer answered. */
const MAX_SERVER_REQUESTS = 256;

const LIST_CHANGED: ReadonlySet<string> = new Set(
  ["tools", "prompts", "resources"].map((list) => `notifications/${list}/list_changed`),
);

interface Waiting {
  readonly id: RpcId;
  readonly method: string;
  readonly settle: (answer: Answer) => void;
}

/**
 * Opens a session over a fresh channel. What {@link readMessages} stops at ends it, and so do an answer that nothing
 * asked for (`protocol.framing`), silence, and an error without an id (`surface.unavailable`). A server's `ping` is
 * answered, its other requests are refused with -32601 (no capability was admitted), its notifications are dropped.
 */
export function openSession(
  channel: WireChannel,
  limits: ObservationLimits,
  refuse: Refuse,
): WireSession {
  let waiting: Waiting | undefined;
  let failure: Refused | undefined;
  let lastId = 0;
  let serverRequests = 0;
  let isChanged = false;

  const stop = (code: StopCode, expected: string, actual: string): void => {
    failure ??= refuse(code, { subject: waiting?.method ?? "connection", expected, actual });
    waiting?.settle({ kind: "refused", refused: failure });
  };
  const unavailable = (actual: string): void => stop("surface.unavailable", "an answer", actual);
  const send = (message: JsonObject): void => {
    channel.toServer.write(`${JSON.stringify(message)}\n`);
  };
  const onServerRequest = (id: RpcId, method: string): void => {
    serverRequests += 1;
    if (serverRequests > MAX_SERVER_REQUESTS) unavailable("a server that asks without end");
    else send({ jsonrpc: "2.0", id, ...answerTo(method) });
  };
  const onAnswer = (message: AnswerMessage, line: Uint8Array): void => {
    if (message.kind === "error" && message.id === null)
      unavailable(`error ${message.error.code} to no request`);
    else if (waiting === undefined || !isSameId(waiting.id, message.id))
      stop("protocol.framing", "an answer to the request", "an answer to no request");
    else waiting.settle(toAnswer(message, line));
  };
  const onMessage = (message: RpcMessage, line: Uint8Array): void => {
    if (failure !== undefined) return;
    if (message.kind === "request") onServerRequest(message.id, message.method);
    else if (message.kind === "notification") isChanged ||= LIST_CHANGED.has(message.method);
    else onAnswer(message, line);
  };
  const ask: WireSession["ask"] = (method, params) =>
    new Promise((resolve) => {
      if (failure !== undefined) return resolve({ kind: "refused", refused: failure });
      const late = `no answer within ${limits.timeoutMs} ms`;
      const timer = setTimeout(() => unavailable(late), limits.timeoutMs);
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        waiting = undefined;
        resolve(answer);
      };
      lastId += 1;
      waiting = { id: lastId, method, settle };
      send({ jsonrpc: "2.0", id: lastId, method, params });
    });

  // A broken pipe decides nothing: what the server said before it closed its input is still to be read.
  channel.toServer.on("error", ignore);
  const letGo = readMessages(channel.fromServer, limits, { message: onMessage, stop });
  const late = `no end within ${limits.totalTimeoutMs} ms`;
  const timer = setTimeout(() => unavailable(late), limits.totalTimeoutMs);

  return {
    ask,
    notify: (method) => send({ jsonrpc: "2.0", method }),
    watchChanges: () => {
      isChanged = false;
    },
    hasChanged: () => isChanged,
    failure: () => failure,
    close: () => {
      clearTimeout(timer);
      letGo();
    },
  };
}

type AnswerMessage = Extract<RpcMessage, { readonly kind: "result" | "error" }>;

function toAnswer(message: AnswerMessage, line: Uint8Array): Answer {
  return message.kind === "result"
    ? { kind: "result", result: message.result, line }
    : { kind: "error", code: message.error.code, data: message.error.data };
}

function answerTo(method: string): JsonObject {
  return method === "ping"
    ? { result: {} }
    : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
}

function ignore(): void {}
