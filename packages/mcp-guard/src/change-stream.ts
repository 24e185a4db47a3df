import { setTimeout } from "node:timers/promises";
import { type BodyReader, isEventStream, letGo, readBody, unusable } from "./http-exchange.ts";
import type { RpcMessage } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";

/** Milliseconds that whoever measures waits for a stream to open. */
const OPENING_MS = 250;

/** A stream that ended sooner than this, in ms, is not opened again: its server has none that lasts. */
const LASTING_MS = 1_000;

/** The stream of changes of one session over HTTP. */
export interface ChangeStream {
  /**
   * Opens the stream where it is not open and may be. Resolves once it is open, or it is known that there is none, or
   * after a quarter of a second; never rejects.
   */
  open(): Promise<void>;
  /** Counts bytes from here. */
  renew(): void;
}

/** How a stream is asked for, and what it tells. */
export interface ChangeStreamTerms {
  readonly url: string;
  readonly limits: ObservationLimits;
  /** Aborted when the session is over: the stream then ends, and tells nothing. */
  readonly over: AbortSignal;
  /** Asks for the stream; it ends when the signal is aborted. */
  request(signal: AbortSignal): Promise<Response>;
  /** A message on it; false where none like this may come here. */
  message(message: RpcMessage, line: Uint8Array): boolean;
  /** Something may have changed unseen: the stream ended, or opened late. */
  changed(): void;
}

/**
 * Keeps one stream of server-sent events on which a server tells its changes: MCP 2025-11-25 by GET, MCP 2026-07-28 by
 * POST of `subscriptions/listen`. What is wrong with it, and too many bytes, end the stream and nothing else; that
 * counts as a change, and the next measuring opens it again. A server that answers another thing than a stream (405 in
 * the legacy era) has none, and the time that an observation holds is then the only bound. A session that is over is
 * found by the listing that follows: many a server answers 404 to any GET.
 */
export function changeStream(terms: ChangeStreamTerms): ChangeStream {
  const { limits, over } = terms;
  let state: "none" | "closed" | "opening" | "open" = "closed";
  let bytes = 0;

  const read = async (response: Response, ended: AbortController): Promise<void> => {
    const openedAt = performance.now();
    const reader: BodyReader = {
      limits,
      sink: {
        message: (received, line) => {
          if (!terms.message(received, line)) ended.abort();
        },
        stop: () => ended.abort(),
      },
      spend: (more) => (bytes += more) <= limits.maxTotalBytes,
      isOver: () => over.aborted || ended.signal.aborted,
    };
    const reading = readBody(response, reader).catch(ignore);
    // Whatever reads it may wait for more, which nobody wants.
    await Promise.race([reading, aborted(ended.signal)]);
    ended.abort();
    state = performance.now() - openedAt < LASTING_MS ? "none" : "closed";
    if (!over.aborted) terms.changed();
  };
  const begin = async (isLate: () => boolean): Promise<void> => {
    state = "opening";
    const ended = new AbortController();
    const signal = AbortSignal.any([over, ended.signal]);
    const response = await terms.request(signal).catch(ignore);
    const isStream =
      response !== undefined &&
      unusable(response, terms.url) === undefined &&
      isEventStream(response);
    if (isStream && !over.aborted) {
      state = "open";
      // What changed before it opened was told to nobody.
      if (isLate()) terms.changed();
      read(response, ended).catch(ignore);
      return;
    }
    state = response === undefined || isOutage(response.status) ? "closed" : "none";
    if (response !== undefined) await letGo(response);
  };

  return {
    open: async () => {
      if (state !== "closed") return;
      bytes = 0;
      let isWaitedFor = true;
      const beginning = begin(() => !isWaitedFor);
      const patience = new AbortController();
      const late = setTimeout(OPENING_MS, undefined, { signal: patience.signal }).catch(ignore);
      await Promise.race([beginning, late]);
      isWaitedFor = false;
      patience.abort();
    },
    renew: () => {
      bytes = 0;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** What may be another thing the next time; 409 comes where the stream before it is not known to be over yet. */
function isOutage(status: number): boolean {
  return status === 409 || status === 429 || status >= 500;
}

function ignore(): undefined {}
