import type { Readable } from "node:stream";
import { parseJson } from "@eve/canonical-json";

/** A JSON-RPC request's id. */
export type RequestId = string | number;

/** Watches a client's bytes, beside whoever serves them, for its first request. */
export interface OpeningRequest {
  /** The first request's id; `undefined` once the input has ended without one. */
  readonly id: Promise<RequestId | undefined>;
  /** Stops watching; `id` then stays as it is. */
  stop(): void;
}

/** More than this without a request is no opening. */
const MAX_BYTES = 1024 * 1024;

/** Begins to watch `stdin`. Adds listeners only: what another reader of the same stream gets is unchanged. */
export function watchOpening(stdin: Readable): OpeningRequest {
  const { promise, resolve } = Promise.withResolvers<RequestId | undefined>();
  let held = Buffer.alloc(0);
  const onData = (chunk: Buffer | string): void => {
    held = Buffer.concat([held, Buffer.from(chunk)]);
    for (let end = held.indexOf(0x0a); end >= 0; end = held.indexOf(0x0a)) {
      const id = requestId(held.subarray(0, end));
      held = held.subarray(end + 1);
      if (id !== undefined) return finish(id);
    }
    if (held.length > MAX_BYTES) finish(undefined);
  };
  const onEnd = (): void => finish(undefined);
  const stop = (): void => {
    stdin.off("data", onData);
    for (const event of ["end", "close", "error"]) stdin.off(event, onEnd);
  };
  const finish = (id: RequestId | undefined): void => {
    stop();
    resolve(id);
  };
  stdin.on("data", onData);
  for (const event of ["end", "close", "error"]) stdin.on(event, onEnd);
  if (stdin.readableEnded || stdin.destroyed) finish(undefined);
  return { id: promise, stop };
}

function requestId(line: Uint8Array): RequestId | undefined {
  const parsed = parseJson(line);
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null) return undefined;
  const { id, method } = Object.fromEntries<unknown>(Object.entries(parsed.value));
  return typeof method === "string" && (typeof id === "string" || typeof id === "number")
    ? id
    : undefined;
}
