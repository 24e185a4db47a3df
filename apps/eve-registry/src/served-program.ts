import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  inheritedEnvironment,
  observeHttpServer,
  spawnStdio,
  type StdioExit,
} from "@eve/mcp-guard";
import { type FirstPartyEntry, isLoopbackOrigin, isReadable } from "@eve/registry-schema";
import { programOf, type ProtectedHttp, readAppBuild } from "./first-party.ts";
import type { Observe } from "./observe-surfaces.ts";
import { metadataUrlOf, readMetadata } from "./resource-metadata.ts";
import { makeRunIssuer, type RunIssuer } from "./run-issuer.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";
import { UsageError } from "./usage-error.ts";

/** A first-party program that listens at the URL its entry names, for as long as somebody uses it. */
export interface ServedProgram {
  readonly url: string;
  /** The one whose tokens it takes. */
  readonly issuer: RunIssuer;
  /** A right token: its audience is the URL, its scopes are the entry's. Never shown. */
  readonly token: string;
  /** Observes it with that token. */
  readonly observe: Observe;
  readonly protectedHttp: ProtectedHttp;
}

/** Milliseconds a program has to begin to listen. */
const START_MS = 20_000;
const POLL_MS = 50;
/** Most of what it says while it starts is not kept. */
const MAX_SAID = 2_000;

/** Whether a first-party program can be run here at the very URL of its entry: the URL is of this machine alone. */
export function isServable({ transport }: FirstPartyEntry): boolean {
  return transport.type === "streamable-http" && isLoopbackOrigin(new URL(transport.url).origin);
}

/**
 * Starts a first-party program as built, listening at its entry's URL, with an issuer made for this run, and ends its
 * whole process tree afterwards, whatever `use` does. Throws UsageError where the port is busy, there is no build, or
 * it does not begin to listen.
 */
export async function withServedProgram<T>(
  entry: FirstPartyEntry,
  root: string,
  caller: NodeJS.ProcessEnv,
  use: (served: ServedProgram) => Promise<T>,
): Promise<T> {
  const { url, protectedHttp } = requireServable(entry, root);
  await requireFreePort(entry.id, url);
  const issuer = await makeRunIssuer();
  const token = await issuer.mint(
    url,
    entry.credentials.flatMap(({ scopes }) => scopes),
  );
  return withTemporaryFolder(async (folder) => {
    const keys = join(folder, "jwks.json");
    writeFileSync(keys, issuer.keySet, { mode: 0o600, flag: "wx" });
    const { resource, issuer: issuerName, keySet } = protectedHttp.environment;
    const program = programOf(entry, root);
    let said = "";
    const child = spawnStdio({
      command: process.execPath,
      args: [program],
      cwd: dirname(program),
      env: {
        ...inheritedEnvironment(
          caller,
          entry.credentials.map(({ env }) => env),
        ),
        [resource]: url,
        [issuerName]: issuer.identifier,
        [keySet]: keys,
      },
      onStderr: (chunk) => void (said = (said + Buffer.from(chunk).toString()).slice(0, MAX_SAID)),
    });
    child.channel.fromServer.resume();
    try {
      const why = await unlessListening(url, issuer.identifier, child.exit);
      if (why !== undefined) throw new UsageError(`${entry.id}: ${why}.${lastLine(said)}`);
      const observe: Observe = (request) =>
        observeHttpServer({ url, headers: { authorization: `Bearer ${token}` } }, request);
      return await use({ url, issuer, token, observe, protectedHttp });
    } finally {
      await child.end();
    }
  });
}

function requireServable(
  entry: FirstPartyEntry,
  root: string,
): { readonly url: string; readonly protectedHttp: ProtectedHttp } {
  const { protectedHttp } = readAppBuild(root, entry.source.path);
  if (entry.transport.type !== "streamable-http" || !isServable(entry))
    throw new UsageError(
      `${entry.id} does not listen on this machine: it cannot be run from here.`,
    );
  if (!protectedHttp)
    throw new UsageError(
      `${entry.source.path}/package.json does not say how to run it: "eve": {"protectedHttp": {"environment": …, "call": …}}.`,
    );
  return { url: entry.transport.url, protectedHttp };
}

/** Whoever listens there already would be measured in the program's place. */
async function requireFreePort(id: string, url: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const probe = createServer();
  const code = await new Promise<string | undefined>((resolve) => {
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    probe.listen({ host: hostname.replaceAll(/[[\]]/g, ""), port: Number(port || 80) }, () =>
      probe.close(() => resolve(undefined)),
    );
  });
  if (code === undefined) return;
  const why = code === "EADDRINUSE" ? "something listens there already" : code;
  throw new UsageError(
    `${id}: ${host} cannot be used (${why}). It is run at the port its entry names: stop what holds port ${port || "80"}, then try again. Nothing was written.`,
  );
}

/** Why it does not serve, or undefined once it does: its metadata name the issuer of this run, which no other server knows. */
async function unlessListening(
  url: string,
  issuer: string,
  exit: Promise<StdioExit>,
): Promise<string | undefined> {
  const waiting = new AbortController();
  const ended = exit.then(({ code, signal, startError }) => {
    waiting.abort();
    return `the program ended before it listened (${startError ?? signal ?? `exit ${code}`})`;
  });
  const end = performance.now() + START_MS;
  while (!waiting.signal.aborted && performance.now() < end) {
    const servers = (await readMetadata(url))?.["authorization_servers"];
    if (Array.isArray(servers) && servers.includes(issuer)) return undefined;
    await sleep(POLL_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
  }
  return waiting.signal.aborted
    ? ended
    : `the program did not answer at ${metadataUrlOf(url)} within ${START_MS / 1000} s`;
}

function lastLine(said: string): string {
  const line = said.trim().split("\n").at(-1) ?? "";
  return line !== "" && isReadable(line) ? ` It said: ${line}` : "";
}
