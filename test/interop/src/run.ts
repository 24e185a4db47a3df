import { spawnStdio } from "@eve/mcp-guard";
import type { Launch } from "./trial.ts";

/** A program that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From its start to its end, in ms. */
  readonly ms: number;
}

/** What a client says to it. */
export interface Said {
  /** Bytes for its stdin, at once. */
  readonly input?: string | Uint8Array;
  /** Whether its stdin is then closed; a client keeps it open. */
  readonly closes?: boolean;
}

/** Longest that a program may take to end by itself, in ms: generous, for busy machines. */
const MAX_MS = 20_000;

/** Opening request of a client of each era, as it goes over the wire. */
export const OPENINGS = {
  legacy: opening(1, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "interop", version: "1" },
  }),
  modern: opening("open-1", "server/discover", {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "interop", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  }),
} as const;

/** Starts a program, says something to it and waits until it ends by itself; killed after 20 s, then `code` is null. */
export async function runToEnd(launch: Launch, { input, closes = false }: Said): Promise<Ended> {
  const began = performance.now();
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
  const child = spawnStdio({ ...launch, onStderr: (chunk) => stderr.push(chunk) });
  const { toServer, fromServer } = child.channel;
  fromServer.on("data", (chunk: Uint8Array) => stdout.push(chunk));
  if (input !== undefined) toServer.write(input);
  if (closes) toServer.end();
  const timer = setTimeout(() => void child.end(), MAX_MS);
  const { code, signal } = await child.exit;
  const ms = performance.now() - began;
  clearTimeout(timer);
  await child.end();
  const isLate = ms >= MAX_MS || signal !== null;
  return { code: isLate ? null : code, stdout: text(stdout), stderr: text(stderr), ms };
}

function text(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function opening(
  id: string | number,
  method: string,
  params: object,
): { readonly id: string | number; readonly line: string } {
  return { id, line: `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n` };
}
