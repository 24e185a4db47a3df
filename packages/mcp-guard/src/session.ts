import type { JsonObject, JsonValue } from "@eve/canonical-json";
import type { RpcMessage } from "./json-rpc.ts";
import type { Refused } from "./observation-refusal.ts";

/** What a request got: a result with its exact bytes, the peer's error, or the refusal that ended the session. */
export type Answer =
  | { readonly kind: "result"; readonly result: JsonObject; readonly line: Uint8Array }
  | { readonly kind: "error"; readonly code: number; readonly data: JsonValue | undefined }
  | { readonly kind: "refused"; readonly refused: Refused };

/** What a session tells without being asked. */
export interface SessionEvents {
  /** A list may have changed: the server said so, whether it declared that or not, or a stream that would say so ended. */
  changed(): void;
}

/** How one request is asked. */
interface AskOptions {
  /** Milliseconds to wait; the limits' own where it is not said. */
  readonly timeoutMs?: number;
  /** Headers of a transport that has them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client's side of one connection that asks one request at a time, over whatever transport. */
export interface WireSession {
  /** Asks and waits. Never rejects; after a refusal every further request gets that refusal. */
  ask(method: string, params: JsonObject, options?: AskOptions): Promise<Answer>;
  notify(method: string): void;
  /** Opens a stream of changes (MCP 2026-07-28, subscriptions/listen) and does not wait; its end counts as a change. */
  listen(method: string, params: JsonObject): void;
  /** Starts the limits on bytes, time and the server's own requests anew: what follows is another piece of work. */
  renew(): void;
  /** Stops the clock of the total time until the next `renew`: nobody waits for anything. */
  rest(): void;
  /** Starts to watch for a `list_changed` of any list. */
  watchChanges(): void;
  /** Whether a list changed since the watch began. */
  hasChanged(): boolean;
  /** The refusal that ended the session, if one did. */
  failure(): Refused | undefined;
  /** Lets go of the connection; what still comes is not read. */
  close(): void;
}

/** JSON-RPC's "method not found". */
export const METHOD_NOT_FOUND = -32601;

/** How many requests a server may make of its observer before it is no longer answered. */
export const MAX_SERVER_REQUESTS = 256;

const LIST_CHANGED: ReadonlySet<string> = new Set(
  ["tools", "prompts", "resources"].map((list) => `notifications/${list}/list_changed`),
);

/** Whether a notification says that a list changed. */
export function isListChange(method: string): boolean {
  return LIST_CHANGED.has(method);
}

/** A message that answers a request. */
export type AnswerMessage = Extract<RpcMessage, { readonly kind: "result" | "error" }>;

/** The answer that a message is; `line` is its exact bytes. */
export function toAnswer(message: AnswerMessage, line: Uint8Array): Answer {
  return message.kind === "result"
    ? { kind: "result", result: message.result, line }
    : { kind: "error", code: message.error.code, data: message.error.data };
}

/** The members of an observer's answer to a server's own request: no capability of a client was admitted. */
export function answerTo(method: string): JsonObject {
  return method === "ping"
    ? { result: {} }
    : { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
}
