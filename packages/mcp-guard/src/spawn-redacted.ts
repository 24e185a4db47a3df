import { redactedStderr } from "./redacted-stderr.ts";
import { spawnStdio, type StdioChild, type StdioLaunch } from "./stdio-child.ts";

/** As `spawnStdio`, for a server of somebody else: what it was given as environment never comes back on stderr. */
export function spawnRedacted(launch: StdioLaunch): StdioChild {
  const { onStderr, env } = launch;
  if (onStderr === undefined) return spawnStdio(launch);
  const stderr = redactedStderr(onStderr, Object.values(env));
  const child = spawnStdio({ ...launch, onStderr: (chunk) => stderr.write(chunk) });
  let ending: ReturnType<StdioChild["end"]> | undefined;
  const end: StdioChild["end"] = () => (ending ??= child.end().finally(() => stderr.end()));
  return { ...child, end };
}
