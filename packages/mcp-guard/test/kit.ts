import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@eve/canonical-json";
import type { ObservedSurface, StdioLaunch, SurfaceRequest } from "../src/index.ts";

/** The UTF-8 of a text. */
export function utf8(source: string): Uint8Array {
  return new TextEncoder().encode(source);
}

/** The text of UTF-8 bytes. */
export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const SERVERS = join(dirname(fileURLToPath(import.meta.url)), "servers");

/** How to start one of the servers in `servers/`, with an empty environment. */
export function server(name: string, change: Partial<StdioLaunch> = {}): StdioLaunch {
  return { command: process.execPath, args: [join(SERVERS, `${name}.mjs`)], env: {}, ...change };
}

/** The program of one of the real servers of the protocol's own project. */
export function programOf(name: "everything" | "filesystem" | "memory"): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  return join(dirname(manifest), "dist", "index.js");
}

/** How to start the real server-everything. */
export function everything(): StdioLaunch {
  return server("", { args: [programOf("everything"), "stdio"] });
}

/** A request in the legacy era from a client that declares nothing. */
export function request(change: Partial<SurfaceRequest> = {}): SurfaceRequest {
  return { integration: "liar", protocolVersion: "2025-11-25", clientCapabilities: {}, ...change };
}

/** The observed surface and its raw answers; throws where there is none. */
export function seen(observed: ObservedSurface): ObservedSurface & { ok: true } {
  if (!observed.ok) throw new Error(`refused: ${JSON.stringify(observed.refusals)}`);
  return observed;
}

/** The names of the observed tools. */
export function toolNames(observed: ObservedSurface): readonly unknown[] {
  return seen(observed).surface.tools.map((tool: JsonObject) => tool["name"]);
}

/** The code of the first refusal, or `ok`. */
export function codeOf(observed: ObservedSurface): string {
  return observed.ok ? "ok" : observed.refusals[0].code;
}

/** What was found instead, or nothing. */
export function actualOf(observed: ObservedSurface): string | undefined {
  return observed.ok ? undefined : observed.refusals[0].actual;
}

/** Whether a process runs; one that ended and was not yet reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
