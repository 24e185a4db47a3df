import type { Readable } from "node:stream";
import { parseRpcLine, type RpcMessage } from "./json-rpc.ts";
import { createLineReader } from "./line-reader.ts";
import type { ObservationLimits } from "./observation-limits.ts";

/** Why a stream is read no further. */
export type StopCode = "protocol.framing" | "surface.too_large" | "surface.unavailable";

/** What takes the messages of a stream. */
export interface MessageSink {
  /** A message and its exact line. */
  message(message: RpcMessage, line: Uint8Array): void;
  /** The last call: nothing is handed on after it. */
  stop(code: StopCode, expected: string, actual: string): void;
}

/** The reading of a stream. */
export interface Reading {
  /** Reads no further: the stream is then paused, not ended. */
  letGo(): void;
  /** Counts the bytes from here. */
  renew(): void;
}

/**
 * Reads a byte stream as strict JSON-RPC lines until it ends, misbehaves or is let go. A line that is too long or no message stops with `protocol.framing`, too many
 * bytes with `surface.too_large`, the stream's end and any fault of ours with `surface.unavailable`.
 */
export function readMessages(
  stream: Readable,
  limits: ObservationLimits,
  sink: MessageSink,
): Reading {
  const reader = createLineReader(limits.maxLineBytes);
  let totalBytes = 0;
  let isOver = false;

  const stop: MessageSink["stop"] = (...why) => {
    if (isOver) return;
    letGo();
    sink.stop(...why);
  };
  const misframed = (actual: string): void =>
    stop("protocol.framing", "one strict JSON-RPC message a line", actual);
  const onLine = (line: Uint8Array): void => {
    const parsed = parseRpcLine(line, limits.maxLineBytes);
    if (parsed.ok) sink.message(parsed.message, line);
    else misframed(parsed.reason);
  };
  const onData = (chunk: Uint8Array): void => {
    totalBytes += chunk.length;
    const { lines, fault } = reader.push(chunk);
    for (const line of lines) if (!isOver) onLine(line);
    if (fault !== undefined) misframed(`${fault} (at most ${limits.maxLineBytes} bytes)`);
    if (totalBytes <= limits.maxTotalBytes) return;
    stop("surface.too_large", `at most ${limits.maxTotalBytes} bytes`, "more");
  };
  const onChunk = (chunk: Uint8Array): void => {
    try {
      onData(chunk);
    } catch {
      // Thrown out of a listener it would end the process.
      stop("surface.unavailable", "an answer", "an internal error");
    }
  };
  const onEnd = (): void => stop("surface.unavailable", "an answer", "the stream ended");
  const letGo = (): void => {
    isOver = true;
    stream.off("data", onChunk).off("end", onEnd).off("close", onEnd).pause();
  };

  stream.on("error", onEnd).on("end", onEnd).on("close", onEnd).on("data", onChunk);
  if (stream.destroyed || stream.readableEnded) queueMicrotask(onEnd);
  return {
    letGo,
    renew: () => {
      totalBytes = 0;
    },
  };
}
