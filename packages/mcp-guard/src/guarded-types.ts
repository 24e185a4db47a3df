import type { JsonObject, JsonValue } from "@eve/canonical-json";
import type { Refusals, RegistryResult } from "@eve/registry-schema";
import type { Admission, CallConsent, Standing, Surface } from "@eve/trust-admission";
import type { Connect } from "./connect.ts";
import type { RawAnswer } from "./list-pages.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Progress } from "./session.ts";

/** Which server a guarded session is held with, and what it asks for at each decision. */
export interface GuardOptions {
  readonly integration: string;
  /** The one version to speak. */
  readonly protocolVersion: string;
  /** What is declared to the server: the entry's `observedWith`, or it is refused. */
  readonly clientCapabilities: JsonObject;
  /** Measures, before each connection, all that is known of the server without speaking to it. */
  readonly standing: () => Promise<Standing>;
  readonly connect: Connect;
  /** The registry as it is now. */
  readonly registry: () => RegistryResult;
  /** Epoch ms. */
  readonly now: () => number;
  /** Limits of each measuring, and on bytes from call to call. */
  readonly limits?: Partial<ObservationLimits>;
  /** Milliseconds to wait for the answer to a call, which is then given up; 60 s where it is not said. */
  readonly callTimeoutMs?: number;
}

/** What may be listed: measured, admitted, and the only thing that calls are held against. */
export interface GuardedList {
  readonly ok: true;
  /** Names this observation; a call says for which one it is made. */
  readonly generation: number;
  readonly admission: Admission;
  readonly surface: Surface;
  /** The exact answers that were judged, in the order they were asked. */
  readonly raw: readonly RawAnswer[];
}

/** One call for a guarded session. */
export interface GuardedCall {
  readonly tool: string;
  /** The exact bytes of its arguments; `{}` where it has none. */
  readonly arguments: Uint8Array;
  /** The generation of the list it was made for. */
  readonly generation: number;
  /** As in `ToolCall`. */
  readonly credential: { readonly id: string; readonly destination: string } | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly consent: CallConsent;
  /** Gives the call up: where it was sent, the server is told, and what it still answers is dropped. */
  readonly signal?: AbortSignal;
  /** Asks the server how far it is; only its numbers are handed on. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Why nothing is handed on. */
export interface GuardRefused {
  readonly ok: false;
  readonly refusals: Refusals;
  /** Whether the call reached the server, or may have: it is never sent twice by itself. */
  readonly sent: boolean;
}

/** What a call came to. */
export type GuardedAnswer =
  | {
      readonly ok: true;
      readonly kind: "complete" | "input_required";
      readonly result: JsonObject;
      /** The exact bytes of the message. */
      readonly line: Uint8Array;
    }
  /** The server's own JSON-RPC error. */
  | {
      readonly ok: true;
      readonly kind: "error";
      readonly code: number;
      readonly data: JsonValue | undefined;
    }
  | GuardRefused;

/**
 * A session with a server behind its admission. Lists and calls see one admitted surface; nothing is asked of the
 * server by itself, and nothing is sent to it twice. Measuring takes turns, and admitted calls run at once, up to 64 of
 * them; none of it rejects.
 */
export interface GuardedSession {
  /** The admitted surface; measures it where the last observation no longer holds. */
  list(): Promise<GuardedList | GuardRefused>;
  call(call: GuardedCall): Promise<GuardedAnswer>;
  /** The surface may have changed, as when a client opens its session anew: what comes next measures first. */
  invalidate(): void;
  /** Forgets a drift, connects anew and measures: for a person, or a registry that has reviewed it. */
  readmit(): Promise<GuardedList | GuardRefused>;
  /** The newest generation: it grows whenever the surface may have changed. */
  generation(): number;
  /** Ends the connection and what was started for it. */
  close(): Promise<void>;
}
