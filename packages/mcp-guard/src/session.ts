import type { JsonObject, JsonValue } from "@eve/canonical-json";
import type { Refused } from "./observation-refusal.ts";

/** What a request got: a result with its exact bytes, the peer's error, or the refusal that ended the session. */
export type Answer =
  | { readonly kind: "result"; readonly result: JsonObject; readonly line: Uint8Array }
  | { readonly kind: "error"; readonly code: number; readonly data: JsonValue | undefined }
  | { readonly kind: "refused"; readonly refused: Refused };

/** What became of one call, when the session goes on without its answer: in words of ours why. */
export interface Lost {
  readonly kind: "lost";
  readonly why: string;
}

/** What a session tells without being asked. */
export interface SessionEvents {
  /** A list may have changed: the server said so, whether it declared that or not, or a stream that would say so ended. */
  changed(): void;
}

/** How far a call is. What a server writes beside its numbers is not handed on. */
export interface Progress {
  /** Greater than in each report before. */
  readonly progress: number;
  readonly total: number | undefined;
}

/** How one call is made. */
export interface CallOptions {
  /** Milliseconds to wait. */
  readonly timeoutMs: number;
  /** Headers of a transport that has them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the call up: the server is told, and what it still answers is dropped. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the server for progress; what this throws is ignored. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A request that opens a stream of changes. */
export interface ListenRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** A client's side of one connection, over whatever transport. */
export interface WireSession {
  /** Asks and waits. Never rejects; silence ends the session, and after a refusal every further request gets it. */
  ask(method: string, params: JsonObject): Promise<Answer>;
  /**
   * As `ask`, beside other calls: limits on bytes and on the server's requests start anew, and no answer in time, or
   * none to this call alone, is `lost` and ends nothing.
   */
  call(method: string, params: JsonObject, options: CallOptions): Promise<Answer | Lost>;
  notify(method: string): void;
  /**
   * Opens the stream on which a server tells changes, where it is not open: MCP 2026-07-28 by the request, MCP
   * 2025-11-25 over HTTP by GET, else none is needed. Its end counts as a change. Resolves when it is open, when there
   * is none, or after a moment; a stream that opens later counts as a change too. Never rejects.
   */
  listen(request?: ListenRequest): Promise<void>;
  /** Starts the limits on bytes, time and the server's own requests anew: what follows is another piece of work. */
  renew(): void;
  /** Stops the clock of the total time until the next `renew`: nobody measures. */
  rest(): void;
  /** Starts to watch for a `list_changed` of any list. */
  watchChanges(): void;
  /** Whether a list changed since the watch began. */
  hasChanged(): boolean;
  /** The refusal that ended the session, if one did. */
  failure(): Refused | undefined;
  /** Lets go of the connection; what still comes is not read, and what still waits is refused. */
  close(): void;
}

/** JSON-RPC's "method not found". */
export const METHOD_NOT_FOUND = -32601;

const LIST_CHANGED: ReadonlySet<string> = new Set(
  ["tools", "prompts", "resources"].map((list) => `notifications/${list}/list_changed`),
);

/** Whether a notification says that a list changed. */
export function isListChange(method: string): boolean {
  return LIST_CHANGED.has(method);
}

/** The members of an observer's answer to a server's own request: no capability of a client was admitted. */
export function answerTo(method: string): JsonObject {
  return method === "ping"
    ? { result: {} }
    : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
}

/** The notification that a request is given up (MCP, cancellation). */
export function cancelling(requestId: number): JsonObject {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}
