import type { ServerContext } from "@modelcontextprotocol/server";
import type { Answer } from "./tools/definition.ts";

/** Longest wait for an operator's decision within one call, in ms. */
export const PENDING_WAIT_MS = 20_000;
/** Time between two looks, in ms. */
export const PENDING_STEP_MS = 2_000;

/** What a wait needs. */
export interface WaitDeps {
  readonly context: ServerContext;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Asks until the answer is anything but pending, for 20 s at most, and tells progress to a client that asked for it.
 * Asking again is safe after a pending: nothing was done. An unknown outcome is not pending, so it is never repeated.
 */
export async function awaitDecision(
  ask: () => Promise<Answer>,
  { context, sleep }: WaitDeps,
): Promise<Answer> {
  for (let waited = 0; ; waited += PENDING_STEP_MS) {
    const answer = await ask();
    if (answer.status !== "pending" || waited >= PENDING_WAIT_MS || context.mcpReq.signal.aborted)
      return answer;
    await tellProgress(context, waited);
    await sleep(PENDING_STEP_MS);
  }
}

async function tellProgress({ mcpReq }: ServerContext, waited: number): Promise<void> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return;
  const params = {
    progressToken,
    progress: waited,
    total: PENDING_WAIT_MS,
    message: "Waiting for an operator's decision",
  };
  await mcpReq.notify({ method: "notifications/progress", params });
}
