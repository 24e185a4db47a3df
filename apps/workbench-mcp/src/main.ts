#!/usr/bin/env node
import { readFileSync, realpathSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { INTEGRATION, TOKEN_VARIABLE, URL_VARIABLE } from "./identity.ts";
import { lastRefusalPath, writeLastRefusal } from "./last-refusal.ts";
import { type Program, runProgram } from "./program.ts";
import { EXIT_REFUSED } from "./refuse-at-start.ts";
import { observeSelf } from "./standing.ts";

/** Embedded by the build: the digest of the source tree that this file was made from. */
// oxlint-disable-next-line no-underscore-dangle -- no name of a program looks like one that a build puts in
declare const __EVE_SOURCE_SHA256__: string | undefined;

let program: Program | undefined;
/** Before there is a program to refuse in its own words, one line says no, whatever the fault was. */
const fail = (error: unknown): void => {
  if (program) return program.fail(error);
  const refused = { event: "eve.refused", integration: INTEGRATION, code: "internal.error" };
  writeSync(process.stderr.fd, `${JSON.stringify(refused)}\n`);
  process.exit(EXIT_REFUSED);
};
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
// Node would open its inspector, and with it the credential, to whoever may send this signal.
process.on("SIGUSR1", () => {});

const file = fileURLToPath(import.meta.url);
const sourceSha256 = typeof __EVE_SOURCE_SHA256__ === "string" ? __EVE_SOURCE_SHA256__ : undefined;
const { env, execArgv, execPath, argv, platform, versions } = process;

/** Whether Node was told to run this very file. */
function isMainScript(): boolean {
  try {
    return realpathSync(argv[1] ?? "") === realpathSync(file);
  } catch {
    return false;
  }
}

program = runProgram({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  runtime: { execArgv, env, nodeVersion: versions.node, isMainScript: isMainScript() },
  settings: { url: env[URL_VARIABLE], token: env[TOKEN_VARIABLE] },
  observeSelf: () => observeSelf({ sourceSha256, artifact: readFileSync(file), execPath, argv }),
  readRegistry: () =>
    readRegularFileSync(join(dirname(file), "registry.json"), {
      maxBytes: 8 * 1024 * 1024,
      followsLinks: true,
    }),
  fetch: globalThis.fetch,
  now: Date.now,
  sleep: (ms) => sleep(ms),
  remember: (refusals) =>
    writeLastRefusal(
      () => lastRefusalPath({ platform, env, home: homedir() }, INTEGRATION),
      refusals,
      Date.now(),
    ),
  exit: (code) => process.exit(code),
});
