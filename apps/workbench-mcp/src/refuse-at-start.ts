import type { Writable } from "node:stream";
import type { Refusals } from "@eve/registry-schema";
import type { OpeningRequest } from "./opening-request.ts";
import { refusalAnswer, refusalLine, refusalProse } from "./refusal-text.ts";

/** What a refusing program touches; all of it passed in. */
export interface RefusalEdge {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Resolves after so many ms. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Keeps codes and time for `eve-registry doctor`; never throws. */
  readonly remember: (refusals: Refusals) => void;
  readonly exit: (code: number) => void;
}

/** How long a client has to send its opening request, and a stream to take our bytes, in ms. */
export const OPENING_WAIT_MS = 2000;
/** sysexits' EX_CONFIG (ADR-0092: exit code 78). */
export const EXIT_REFUSED = 78;

/**
 * Says no at start: one JSON line, then prose, on stderr; the last-refusal file; and if the client's opening request
 * is there or comes within 2 s, one JSON-RPC error to it. Nothing else is written to stdout. Then exit 78.
 * `opening` is undefined where the client was already answered. The end of input ends the wait at once.
 */
export async function refuseAtStart(
  integration: string,
  refusals: Refusals,
  opening: OpeningRequest | undefined,
  edge: RefusalEdge,
): Promise<void> {
  const told = deliver(
    edge.stderr,
    refusalLine(integration, refusals) + refusalProse(integration, refusals),
  );
  // After stderr, for it touches a disk; before the answer, for a client may end this process once it has it.
  edge.remember(refusals);
  const id = await Promise.race([opening?.id(), edge.sleep(OPENING_WAIT_MS)]);
  opening?.stop();
  const answered = id === undefined ? undefined : deliver(edge.stdout, refusalAnswer(id, refusals));
  await Promise.race([Promise.all([told, answered]), edge.sleep(OPENING_WAIT_MS)]);
  edge.exit(EXIT_REFUSED);
}

/** Resolves when the stream has taken the text, or cannot. */
function deliver(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write(text, () => resolve());
  });
}
