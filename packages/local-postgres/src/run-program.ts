import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import type { DatabaseUser } from "./database-user.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { serverEnvironment } from "./server-environment.ts";

/** The identity a child starts with: none where it is the caller's own. */
export function identityOf(user: DatabaseUser): { readonly uid?: number; readonly gid?: number } {
  return user.isOther ? { uid: user.uid, gid: user.gid } : {};
}

/** Runs one of PostgreSQL's programs to its end. Rejects with `cluster.failed` and what the program said last. */
export async function runProgram(
  program: string,
  args: readonly string[],
  user: DatabaseUser,
  cwd: string,
  input = "",
): Promise<void> {
  const child = spawn(program, args, {
    ...identityOf(user),
    cwd,
    env: serverEnvironment(process.env),
    stdio: "pipe",
  });
  let said = "";
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString("utf8")).slice(-2000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.stdin.on("error", () => undefined).end(input);
  const [status] = await once(child, "close").catch((error: unknown) => {
    throw new LocalPostgresError("cluster.failed", `cannot run ${program}`, error);
  });
  if (status !== 0)
    throw new LocalPostgresError(
      "cluster.failed",
      `${basename(program)} ended with ${String(status)}:\n${said.trim()}\n`,
    );
}
