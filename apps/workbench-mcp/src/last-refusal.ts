import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Refusals } from "@eve/registry-schema";

/** Where a user's state lives, from values. */
export interface StateHome {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The last-refusal file of an integration: `$XDG_STATE_HOME` or `~/.local/state`; on Windows `%LOCALAPPDATA%`. */
export function lastRefusalPath({ platform, env, home }: StateHome, integration: string): string {
  const [variable, fallback] =
    platform === "win32"
      ? (["LOCALAPPDATA", ["AppData", "Local"]] as const)
      : (["XDG_STATE_HOME", [".local", "state"]] as const);
  const named = env[variable];
  const base = named !== undefined && isAbsolute(named) ? named : join(home, ...fallback);
  return join(base, "eve", "last-refusal", `${integration}.json`);
}

/**
 * Writes codes and time for `eve-registry doctor`, readable by this user alone (0600 in a 0700 folder). Whole or not at
 * all: some clients start a server twice at once. Whatever fails, finding the place too, is ignored: the refusal itself must not depend on it.
 */
export function writeLastRefusal(locate: () => string, refusals: Refusals, now: number): void {
  let temporary: string | undefined;
  try {
    const path = locate();
    temporary = `${path}.${randomUUID()}`;
    makeFolders(dirname(path));
    writeFileSync(
      temporary,
      `${JSON.stringify({ at: new Date(now).toISOString(), codes: refusals.map(({ code }) => code) })}\n`,
      { mode: 0o600, flag: "wx" },
    );
    renameSync(temporary, path);
  } catch {
    if (temporary !== undefined) discard(temporary);
  }
}

/** The last three folders of the path: on some file systems Node never comes back from making all of one. */
function makeFolders(folder: string): void {
  const parents = [
    folder,
    dirname(folder),
    dirname(dirname(folder)),
    dirname(dirname(dirname(folder))),
  ];
  for (const parent of parents.toReversed())
    if (!existsSync(parent)) mkdirSync(parent, { mode: 0o700 });
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing more can be done, and nothing depends on it.
  }
}
