import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "@eve/canonical-json";
import { isSameId, type RpcId, type RpcMessage } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Refuse, Refused } from "./observation-refusal.ts";
import { readMessages, type StopCode } from "./read-messages.ts";
import {
  type Answer,
  type AnswerMessage,
  answerTo,
  isListChange,
  MAX_SERVER_REQUESTS,
  type SessionEvents,
  toAnswer,
  type WireSession,
} from "./session.ts";

/** The two byte streams of one connection: newline-delimited JSON-RPC in both directions. */
export interface WireChannel {
  readonly toServer: Writable;
  readonly fromServer: Readable;
}

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
  events?: SessionEvents,
): WireSession {
  let waiting: Waiting | undefined;
  let failure: Refused | undefined;
  let lastId = 0;
  let serverRequests = 0;
  let isChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const streams = new Set<RpcId>();

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
  const onStreamEnd = (kind: AnswerMessage["kind"]): void => {
    if (kind === "result") events?.changed(); // an error says that there never was a stream
  };
  const onAnswer = (message: AnswerMessage, line: Uint8Array): void => {
    if (message.id !== null && streams.delete(message.id)) onStreamEnd(message.kind);
    else if (message.kind === "error" && message.id === null)
      unavailable(`error ${message.error.code} to no request`);
    else if (waiting === undefined || !isSameId(waiting.id, message.id))
      stop("protocol.framing", "an answer to the request", "an answer to no request");
    else waiting.settle(toAnswer(message, line));
  };
  const onNotification = (method: string): void => {
    if (!isListChange(method)) return;
    isChanged = true;
    events?.changed();
  };
  const onMessage = (message: RpcMessage, line: Uint8Array): void => {
    if (failure !== undefined) return;
    if (message.kind === "request") onServerRequest(message.id, message.method);
    else if (message.kind === "notification") onNotification(message.method);
    else onAnswer(message, line);
  };
  const ask: WireSession["ask"] = (method, params, options = {}) =>
    new Promise((resolve) => {
      const { timeoutMs = limits.timeoutMs } = options;
      if (failure !== undefined) return resolve({ kind: "refused", refused: failure });
      const late = `no answer within ${timeoutMs} ms`;
      const patience = setTimeout(() => unavailable(late), timeoutMs);
      const settle = (answer: Answer): void => {
        clearTimeout(patience);
        waiting = undefined;
        resolve(answer);
      };
      lastId += 1;
      waiting = { id: lastId, method, settle };
      send({ jsonrpc: "2.0", id: lastId, method, params });
    });

  // A broken pipe decides nothing: what the server said before it closed its input is still to be read.
  channel.toServer.on("error", ignore);
  const reading = readMessages(channel.fromServer, limits, { message: onMessage, stop });
  const late = `no end within ${limits.totalTimeoutMs} ms`;
  const rest = (): void => clearTimeout(timer);
  const renew = (): void => {
    rest();
    reading.renew();
    serverRequests = 0;
    timer = setTimeout(() => unavailable(late), limits.totalTimeoutMs);
  };
  renew();

  return {
    ask,
    notify: (method) => send({ jsonrpc: "2.0", method }),
    listen: (method, params) => {
      lastId += 1;
      streams.add(lastId);
      send({ jsonrpc: "2.0", id: lastId, method, params });
    },
    renew,
    rest,
    watchChanges: () => {
      isChanged = false;
    },
    hasChanged: () => isChanged,
    failure: () => failure,
    close: () => {
      rest();
      reading.letGo();
    },
  };
}

function ignore(): void {}
