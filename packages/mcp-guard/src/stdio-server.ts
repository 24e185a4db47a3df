import { observeSurface } from "./observe-surface.ts";
import type { ObservedSurface, SurfaceRequest } from "./read-surface.ts";
import { spawnRedacted } from "./spawn-redacted.ts";
import type { StdioExit, StdioLaunch } from "./stdio-child.ts";

/**
 * Starts a server, observes its surface as {@link observeSurface} does, and ends its whole process tree, whatever
 * came of it. A server that cannot be started or ends too early is `surface.unavailable`. Never rejects.
 */
export async function observeStdioServer(
  launch: StdioLaunch,
  request: SurfaceRequest,
): Promise<ObservedSurface> {
  const child = spawnRedacted(launch);
  // What it leaves behind may hold its stdout open: without it, the stream ends now.
  void child.exit.then(() => child.end());
  const observed = await observeSurface(child.channel, request);
  const endedEarly = child.channel.fromServer.readableEnded;
  const exit = await child.end();
  return endedEarly ? withExit(observed, exit) : observed;
}

/** An outage tells how the process ended, not only that its stream did. */
function withExit(observed: ObservedSurface, exit: StdioExit): ObservedSurface {
  if (observed.ok) return observed;
  const [first, ...rest] = observed.refusals;
  if (first.code !== "surface.unavailable") return observed;
  return { ok: false, refusals: [{ ...first, actual: describeExit(exit) }, ...rest] };
}

function describeExit({ code, signal, startError }: StdioExit): string {
  if (startError !== undefined) return `the process did not start: ${startError}`;
  return signal === null
    ? `the process ended with exit code ${code}`
    : `the stream ended, then the process by ${signal}`;
}
