import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where programs leave their last refusal: the per-user state folder (XDG Base Directory, which ignores a relative
 * path; %LOCALAPPDATA% on Windows).
 */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const [variable, fallback] =
    platform === "win32"
      ? (["LOCALAPPDATA", ["AppData", "Local"]] as const)
      : (["XDG_STATE_HOME", [".local", "state"]] as const);
  const named = env[variable];
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), ...fallback);
  return join(base, "eve", "last-refusal");
}
