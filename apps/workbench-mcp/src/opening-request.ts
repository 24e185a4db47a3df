import type { Readable } from "node:stream";
import { createLineReader, parseRpcLine, type RpcId } from "@eve/mcp-guard";

/** A JSON-RPC request's id. */
export type RequestId = RpcId;

/** Watches a client's bytes, beside whoever serves them, for requests that nobody has answered. */
export interface OpeningRequest {
  /** The oldest unanswered request, now or once one comes; `undefined` once the input has ended without one. */
  readonly id: () => Promise<RequestId | undefined>;
  /** Takes note that a request was answered. */
  readonly answered: (id: RequestId) => void;
  /** Stops watching. */
  readonly stop: () => void;
}

/** The longest line a client may send, in bytes; no call of the seven tools comes near it. */
export const MAX_LINE_BYTES: number = 4 * 1024 * 1024;

/** Unanswered requests that are remembered; the oldest is the one that counts. */
const MAX_PENDING = 1024;

/**
 * Begins to watch `stdin`. Adds listeners only: what another reader of the same stream gets is unchanged. A line that
 * is not strictly one request counts for nothing; one longer than the bound is told to `onTooLong`, once.
 */
export function watchOpening(stdin: Readable, onTooLong: () => void = () => {}): OpeningRequest {
  const reader = createLineReader(MAX_LINE_BYTES);
  let pending: RequestId[] = [];
  let hasEnded = false;
  let waiting: ((id: RequestId | undefined) => void)[] = [];
  const settle = (): void => {
    if (pending.length === 0 && !hasEnded) return;
    for (const resolve of waiting) resolve(pending[0]);
    waiting = [];
  };
  const onData = (chunk: Buffer | string): void => {
    const { lines, fault } = reader.push(Buffer.from(chunk));
    for (const line of lines) {
      const id = requestId(line);
      if (id !== undefined && pending.length < MAX_PENDING) pending.push(id);
    }
    settle();
    if (fault === undefined) return;
    onEnd();
    onTooLong();
  };
  const stop = (): void => {
    stdin.off("data", onData);
    for (const event of ["end", "close", "error"]) stdin.off(event, onEnd);
  };
  const onEnd = (): void => {
    hasEnded = true;
    stop();
    settle();
  };
  stdin.on("data", onData);
  for (const event of ["end", "close", "error"]) stdin.on(event, onEnd);
  if (stdin.readableEnded || stdin.destroyed) onEnd();
  return {
    id: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    answered: (id) => {
      const at = pending.indexOf(id);
      pending = at < 0 ? pending : pending.toSpliced(at, 1);
    },
    stop,
  };
}

function requestId(line: Uint8Array): RequestId | undefined {
  const parsed = parseRpcLine(line, MAX_LINE_BYTES);
  return parsed.ok && parsed.message.kind === "request" ? parsed.message.id : undefined;
}
