import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "@eve/canonical-json";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Refuse } from "./observation-refusal.ts";
import { readMessages } from "./read-messages.ts";
import { type Pending, requestBook } from "./request-book.ts";
import { cancelling, type SessionEvents, type WireSession } from "./session.ts";

/** The two byte streams of one connection: newline-delimited JSON-RPC in both directions. */
export interface WireChannel {
  readonly toServer: Writable;
  readonly fromServer: Readable;
}

/**
 * Opens a session over a fresh channel. What {@link readMessages} stops at ends it, and so does what {@link requestBook}
 * stops at, and silence where something is measured.
 */
export function openSession(
  channel: WireChannel,
  limits: ObservationLimits,
  refuse: Refuse,
  events?: SessionEvents,
): WireSession {
  let timer: NodeJS.Timeout | undefined;
  let isListening = false;

  const send = (message: JsonObject): void => {
    channel.toServer.write(`${JSON.stringify(message)}\n`);
  };
  const book = requestBook(limits, refuse, {
    reply: send,
    givenUp: (id) => send(cancelling(id)),
    changed: () => events?.changed(),
    streamEnded: (_id, kind) => {
      isListening = kind === "error"; // an error says that there never was a stream, and never will be
      if (kind === "result") events?.changed();
    },
  });
  const asked = <T>(pending: Pending<T>): Promise<T> => {
    const { id, method, params } = pending;
    if (!pending.isOver()) send({ jsonrpc: "2.0", id, method, params });
    return pending.outcome;
  };

  // A broken pipe decides nothing: what the server said before it closed its input is still to be read.
  channel.toServer.on("error", ignore);
  const reading = readMessages(channel.fromServer, limits, {
    message: (message, line) => book.take(message, line),
    stop: (...why) => book.stop(...why),
  });
  const late = `no end within ${limits.totalTimeoutMs} ms`;
  const rest = (): void => clearTimeout(timer);
  const renewCounts = (): void => {
    reading.renew();
    book.renew();
  };
  const renew = (): void => {
    rest();
    renewCounts();
    timer = setTimeout(
      () => book.stop("surface.unavailable", "an answer", late),
      limits.totalTimeoutMs,
    );
  };
  renew();

  return {
    ask: (method, params) => asked(book.open(method, params)),
    call: (method, params, options) => {
      renewCounts();
      return asked(book.openCall(method, params, options));
    },
    notify: (method) => send({ jsonrpc: "2.0", method }),
    listen: (request) => {
      // On streams a legacy server tells its changes without being asked.
      if (request !== undefined && !isListening) {
        isListening = true;
        const id = book.nextId();
        book.stream(id);
        send({ jsonrpc: "2.0", id, ...request });
      }
      return Promise.resolve();
    },
    renew,
    rest,
    watchChanges: () => book.watchChanges(),
    hasChanged: () => book.hasChanged(),
    failure: () => book.failure(),
    close: () => {
      rest();
      reading.letGo();
      book.stop("surface.unavailable", "an answer", "the session was closed");
    },
  };
}

function ignore(): void {}
