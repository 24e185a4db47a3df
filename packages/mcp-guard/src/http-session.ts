import type { JsonObject } from "@eve/canonical-json";
import {
  type BodyReader,
  headersOf,
  type HttpPeer,
  isEventStream,
  letGo,
  post,
  readBody,
  unusable,
} from "./http-exchange.ts";
import { isSameId, type RpcMessage } from "./json-rpc.ts";
import type { Walk } from "./list-pages.ts";
import type { Refused } from "./observation-refusal.ts";
import type { StopCode } from "./read-messages.ts";
import {
  type Answer,
  answerTo,
  isListChange,
  MAX_SERVER_REQUESTS,
  type SessionEvents,
  toAnswer,
  type WireSession,
} from "./session.ts";

/** A session over Streamable HTTP. */
export interface HttpSession extends WireSession {
  /** Resolves, after `close`, once the server was told that its session ends; never rejects. */
  gone(): Promise<void>;
}

/** Milliseconds that a stream may stay open behind its answer: what else it says till then is read and judged. */
const DRAIN_MS = 250;

/** Milliseconds to tell a server that its session ends. */
const GOODBYE_MS = 1_000;

/** A session id is visible ASCII (MCP 2025-11-25, Streamable HTTP). */
const SESSION_ID = /^[\u0021-\u007e]{1,1024}$/;

interface Waiting {
  readonly id: number;
  readonly method: string;
  readonly settle: (answer: Answer) => void;
  answer: Answer | undefined;
}

/**
 * Opens a session with one address: each request is a POST of its own, and what answers it comes in that response
 * alone. Refused are redirects, statuses and media types that carry no answer, time-outs (`surface.unavailable`), and
 * a second answer or one with another id (`protocol.framing`). A server's requests are answered as on stdio. In the
 * legacy era the session that a server opens is kept, and ended on `close`.
 */
export function openHttpSession(
  peer: HttpPeer,
  protocolVersion: string,
  { era, limits, refuse }: Omit<Walk, "session">,
  events?: SessionEvents,
): HttpSession {
  const over = new AbortController();
  let waiting: Waiting | undefined;
  let failure: Refused | undefined;
  let lastId = 0;
  let totalBytes = 0;
  let serverRequests = 0;
  let isChanged = false;
  let isOpened = false;
  let sessionId: string | undefined;
  let notified: Promise<void> = Promise.resolve();
  let goodbye: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const stop = (code: StopCode, expected: string, actual: string): void => {
    failure ??= refuse(code, { subject: waiting?.method ?? "connection", expected, actual });
    waiting?.settle({ kind: "refused", refused: failure });
    over.abort();
  };
  const unavailable = (actual: string): void => stop("surface.unavailable", "an answer", actual);
  const misframed = (actual: string): void =>
    stop("protocol.framing", "one answer to the request", actual);

  /** MCP 2026-07-28 names version and method in headers; 2025-11-25 the version, once it is negotiated. */
  const ownHeaders = (method?: string, params?: JsonObject): Record<string, string> => ({
    ...((era.hasResultType || isOpened) && { "mcp-protocol-version": protocolVersion }),
    ...(era.hasResultType && method !== undefined && { "mcp-method": method }),
    ...(era.hasResultType && method === "tools/call" && { "mcp-name": nameIn(params) }),
    ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
  });
  const tell = async (message: JsonObject, method?: string): Promise<number> => {
    const response = await post(peer, message, ownHeaders(method), over.signal);
    await letGo(response);
    return response.status;
  };
  const announce = async (method: string): Promise<void> => {
    try {
      const status = await tell({ jsonrpc: "2.0", method }, method);
      if (status < 200 || status > 299) unavailable(`HTTP status ${status}`);
    } catch (error) {
      unavailable(causeOf(error));
    }
  };
  const onServerRequest = (id: string | number, method: string): void => {
    serverRequests += 1;
    if (serverRequests > MAX_SERVER_REQUESTS) unavailable("a server that asks without end");
    else tell({ jsonrpc: "2.0", id, ...answerTo(method) }).catch(ignore);
  };
  const onNotification = (method: string): void => {
    if (!isListChange(method)) return;
    isChanged = true;
    events?.changed();
  };
  const onMessage = (message: RpcMessage, line: Uint8Array, asked: Waiting): void => {
    if (failure !== undefined) return;
    if (message.kind === "request") onServerRequest(message.id, message.method);
    else if (message.kind === "notification") onNotification(message.method);
    else if (message.kind === "error" && message.id === null)
      unavailable(`error ${message.error.code} to no request`);
    else if (asked.answer !== undefined || !isSameId(asked.id, message.id))
      misframed("an answer to no request");
    else asked.answer = toAnswer(message, line);
  };
  const keepSession = (response: Response): void => {
    const id = response.headers.get("mcp-session-id");
    if (era.hasResultType || isOpened || id === null) return;
    if (SESSION_ID.test(id)) sessionId = id;
    else misframed("a session id that is not visible ASCII");
  };

  const exchange = async (
    asked: Waiting,
    headers: Readonly<Record<string, string>>,
    message: JsonObject,
  ): Promise<void> => {
    await notified;
    if (failure !== undefined) return;
    const done = new AbortController();
    const signal = AbortSignal.any([over.signal, done.signal]);
    const response = await post(peer, message, headers, signal);
    // MCP 2025-11-25: 404 to a request with a session id says that the session is over, whatever else it says.
    const isLost = response.status === 404 && sessionId !== undefined;
    const why = isLost ? "a session that is over" : unusable(response, peer.url);
    if (why !== undefined) {
      await letGo(response);
      return unavailable(why);
    }
    keepSession(response);
    const drained = new AbortController();
    const reader: BodyReader = {
      limits,
      sink: {
        message: (received, line) => {
          onMessage(received, line, asked);
          if (asked.answer !== undefined) drained.abort();
        },
        stop,
      },
      spend: (bytes) => (totalBytes += bytes) <= limits.maxTotalBytes,
      isOver: () => failure !== undefined || waiting !== asked,
    };
    const read = readBody(response, reader);
    read.catch(ignore);
    await Promise.race([read, whenDrained(drained.signal, over.signal)]);
    done.abort();
    if (failure !== undefined) return;
    if (asked.answer === undefined) return unavailable("the response ended");
    isOpened = true;
    asked.settle(asked.answer);
  };

  /** Reads a stream of changes until it ends. What is wrong with it ends it, and nothing else. */
  const follow = async (method: string, message: JsonObject): Promise<void> => {
    const response = await post(peer, message, ownHeaders(method), over.signal);
    if (unusable(response, peer.url) !== undefined || !isEventStream(response))
      return letGo(response); // there is no such stream
    const ended = new AbortController();
    await readBody(response, {
      limits,
      sink: {
        message: (received) => {
          if (received.kind === "notification") onNotification(received.method);
        },
        stop: () => ended.abort(),
      },
      // A line's own limit bounds what is held; a stream may live for days.
      spend: () => true,
      isOver: () => failure !== undefined || ended.signal.aborted,
    }).catch(ignore);
    if (!over.signal.aborted) events?.changed();
  };
  const listen: WireSession["listen"] = (method, params) => {
    lastId += 1;
    follow(method, { jsonrpc: "2.0", id: lastId, method, params }).catch(ignore);
  };

  const ask: WireSession["ask"] = (method, params, options = {}) =>
    new Promise((resolve) => {
      const { timeoutMs = limits.timeoutMs, headers = {} } = options;
      if (failure !== undefined) return resolve({ kind: "refused", refused: failure });
      const late = `no answer within ${timeoutMs} ms`;
      const patience = setTimeout(() => unavailable(late), timeoutMs);
      const settle = (answer: Answer): void => {
        clearTimeout(patience);
        waiting = undefined;
        resolve(answer);
      };
      lastId += 1;
      const asked: Waiting = { id: lastId, method, settle, answer: undefined };
      waiting = asked;
      const message = { jsonrpc: "2.0", id: lastId, method, params };
      exchange(asked, { ...headers, ...ownHeaders(method, params) }, message).catch(
        (error: unknown) => unavailable(causeOf(error)),
      );
    });

  const late = `no end within ${limits.totalTimeoutMs} ms`;
  const rest = (): void => clearTimeout(timer);
  const renew = (): void => {
    rest();
    totalBytes = 0;
    serverRequests = 0;
    timer = setTimeout(() => unavailable(late), limits.totalTimeoutMs);
  };
  renew();

  return {
    ask,
    listen,
    renew,
    rest,
    notify: (method) => {
      notified = announce(method);
    },
    watchChanges: () => {
      isChanged = false;
    },
    hasChanged: () => isChanged,
    failure: () => failure,
    close: () => {
      rest();
      over.abort();
      if (sessionId !== undefined) goodbye = endSession(peer, ownHeaders());
    },
    gone: () => goodbye,
  };
}

/** MCP 2025-11-25: a client that leaves deletes its session; the server may refuse that. */
async function endSession(peer: HttpPeer, own: Readonly<Record<string, string>>): Promise<void> {
  try {
    const response = await peer.fetch(peer.url, {
      method: "DELETE",
      headers: headersOf(peer, own),
      redirect: "manual",
      signal: AbortSignal.timeout(GOODBYE_MS),
    });
    await letGo(response);
  } catch {
    // It was told; whether it listened decides nothing.
  }
}

/** MCP 2026-07-28: a call names its tool in a header too. */
function nameIn(params: JsonObject | undefined): string {
  const name = params?.["name"];
  return typeof name === "string" ? name : "";
}

/** Resolves a while after the answer, or when the session is over. */
function whenDrained(answered: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    answered.addEventListener("abort", () => setTimeout(resolve, DRAIN_MS).unref(), { once: true });
    if (over.aborted) resolve();
    else over.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A system's own code (ECONNREFUSED, …) where there is one; never a text. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code)
    ? `no connection: ${code}`
    : "no connection";
}

function ignore(): void {}
