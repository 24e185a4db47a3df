import type { JsonObject } from "@eve/canonical-json";
import { type ChangeStream, changeStream } from "./change-stream.ts";
import {
  type BodyReader,
  getStream,
  headersOf,
  type HttpPeer,
  letGo,
  post,
  readBody,
  unusable,
} from "./http-exchange.ts";
import type { Walk } from "./list-pages.ts";
import { type Pending, requestBook } from "./request-book.ts";
import { cancelling, type ListenRequest, type SessionEvents, type WireSession } from "./session.ts";

/** A session over Streamable HTTP. */
export interface HttpSession extends WireSession {
  /** Resolves, after `close`, once the server was told that its session ends; never rejects. */
  gone(): Promise<void>;
}

/** Milliseconds that a stream may stay open behind its answer: what else it says till then is read and judged. */
const DRAIN_MS = 250;

/** Milliseconds to tell a server that its session ends, or that a call is given up. */
const GOODBYE_MS = 1_000;

/** A session id is visible ASCII (MCP 2025-11-25, Streamable HTTP). */
const SESSION_ID = /^[\u0021-\u007e]{1,1024}$/;

/**
 * Opens a session with one address: each request is a POST of its own, and what answers it comes in that response
 * alone. Redirects, statuses and media types that carry no answer, and time-outs, end what is measured
 * (`surface.unavailable`) and lose a call alone; a session that is over, and what {@link requestBook} stops at, end the
 * session. A server's requests are answered as on stdio. In the legacy era the session that a server opens is kept, and
 * ended on `close`.
 */
export function openHttpSession(
  peer: HttpPeer,
  protocolVersion: string,
  { era, limits, refuse }: Omit<Walk, "session">,
  events?: SessionEvents,
): HttpSession {
  const over = new AbortController();
  /** The signals that end the exchange of each call. */
  const exchanges = new Map<number, AbortController>();
  let totalBytes = 0;
  let isOpened = false;
  let sessionId: string | undefined;
  let notified: Promise<void> = Promise.resolve();
  let goodbye: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stream: ChangeStream | undefined;

  const changed = (): void => events?.changed();
  const book = requestBook(limits, refuse, {
    changed,
    reply: (message) => void tell(message).catch(ignore),
    givenUp: (id) => {
      exchanges.get(id)?.abort();
      // MCP 2026-07-28: the end of the response says it; before, a lost connection said nothing.
      if (!era.hasResultType)
        tell(cancelling(id), undefined, AbortSignal.timeout(GOODBYE_MS)).catch(ignore);
    },
    stopped: () => over.abort(),
  });
  const unavailable = (actual: string): void =>
    book.stop("surface.unavailable", "an answer", actual);
  const sessionOver = (): void => unavailable("a session that is over");
  /** MCP 2025-11-25: 404 to a request with a session id says that the session is over, whatever else it says. */
  const isSessionOver = (status: number): boolean => status === 404 && sessionId !== undefined;

  /** MCP 2026-07-28 names version and method in headers; 2025-11-25 the version, once it is negotiated. */
  const ownHeaders = (method?: string, params?: JsonObject): Record<string, string> => ({
    ...((era.hasResultType || isOpened) && { "mcp-protocol-version": protocolVersion }),
    ...(era.hasResultType && method !== undefined && { "mcp-method": method }),
    ...(era.hasResultType && method === "tools/call" && { "mcp-name": nameIn(params) }),
    ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
  });
  const tell = async (
    message: JsonObject,
    method?: string,
    until: AbortSignal = over.signal,
  ): Promise<number> => {
    const signal = AbortSignal.any([over.signal, until]);
    const response = await post(peer, message, ownHeaders(method), signal);
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
  const keepSession = (response: Response): void => {
    const id = response.headers.get("mcp-session-id");
    if (era.hasResultType || isOpened || id === null) return;
    if (SESSION_ID.test(id)) sessionId = id;
    else
      book.stop(
        "protocol.framing",
        "one answer to the request",
        "a session id that is not visible ASCII",
      );
  };

  const exchange = async (
    asked: Pending<unknown>,
    headers: Readonly<Record<string, string>>,
    done: AbortSignal,
  ): Promise<void> => {
    await notified;
    if (asked.isOver()) return;
    const { id, method, params } = asked;
    const own = { ...headers, ...ownHeaders(method, params) };
    const response = await post(peer, { jsonrpc: "2.0", id, method, params }, own, done);
    const isLost = isSessionOver(response.status);
    const why = isLost ? undefined : unusable(response, peer.url);
    if (isLost || why !== undefined) await letGo(response);
    if (isLost) return sessionOver();
    if (why !== undefined) return asked.lose(why);
    keepSession(response);
    const answered = Promise.withResolvers<void>();
    const reader: BodyReader = {
      limits,
      sink: {
        message: (received, line) => {
          book.take(received, line, asked);
          if (asked.answer() !== undefined) answered.resolve();
        },
        stop: (code, expected, actual) => {
          if (code === "surface.unavailable") asked.lose(actual);
          else book.stop(code, expected, actual);
        },
      },
      spend: (bytes) => (totalBytes += bytes) <= limits.maxTotalBytes,
      isOver: () => asked.isOver(),
    };
    const read = readBody(response, reader);
    read.catch(ignore);
    await Promise.race([read, answered.promise.then(() => pause(DRAIN_MS))]);
    if (asked.isOver()) return;
    if (asked.answer() === undefined) return asked.lose("the response ended");
    isOpened = true;
    asked.settle();
  };
  const ask = <T>(
    asked: Pending<T>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> => {
    const done = new AbortController();
    exchanges.set(asked.id, done);
    const signal = AbortSignal.any([over.signal, done.signal]);
    exchange(asked, headers, signal)
      .catch((error: unknown) => asked.lose(causeOf(error)))
      .finally(() => {
        exchanges.delete(asked.id);
        done.abort();
      });
    return asked.outcome;
  };

  const streamOf = (request: ListenRequest | undefined): ChangeStream =>
    changeStream({
      url: peer.url,
      limits,
      over: over.signal,
      changed,
      request: (signal) =>
        request === undefined
          ? getStream(peer, ownHeaders(), signal)
          : post(
              peer,
              { jsonrpc: "2.0", id: book.nextId(), ...request },
              ownHeaders(request.method, request.params),
              signal,
            ),
      message: (message, line) => {
        // The answer to the request is the end of its stream; that to any other belongs elsewhere.
        if (message.kind === "result" || message.kind === "error") return false;
        book.take(message, line);
        return true;
      },
    });

  const late = `no end within ${limits.totalTimeoutMs} ms`;
  const rest = (): void => clearTimeout(timer);
  const renewCounts = (): void => {
    totalBytes = 0;
    stream?.renew();
    book.renew();
  };
  const renew = (): void => {
    rest();
    renewCounts();
    timer = setTimeout(() => unavailable(late), limits.totalTimeoutMs);
  };
  renew();

  return {
    ask: (method, params) => ask(book.open(method, params)),
    call: (method, params, options) => {
      renewCounts();
      return ask(book.openCall(method, params, options), options.headers);
    },
    listen: async (request) => {
      await notified;
      if (book.failure() === undefined) await (stream ??= streamOf(request)).open();
    },
    renew,
    rest,
    notify: (method) => {
      notified = announce(method);
    },
    watchChanges: () => book.watchChanges(),
    hasChanged: () => book.hasChanged(),
    failure: () => book.failure(),
    close: () => {
      rest();
      unavailable("the session was closed");
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
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
