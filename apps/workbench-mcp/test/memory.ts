import { PassThrough, type Readable, type Writable } from "node:stream";
import { Client as ModernClient, type ClientOptions } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import type { Era } from "../src/protocol-era.ts";
import { fromJson } from "./from-json.ts";

/** A client's end of two byte streams; fits both SDK lines. Lines go past as text, so that a test can read the wire. */
export interface LineTransport {
  readonly sent: string[];
  readonly received: string[];
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Speaks newline-delimited JSON over the streams of a server. */
export function lineTransport(toServer: Writable, fromServer: Readable): LineTransport {
  let held = "";
  const transport: LineTransport = {
    sent: [],
    received: [],
    start: async () => {
      fromServer.on("data", (chunk: Buffer) => {
        const lines = (held + chunk.toString()).split("\n");
        held = lines.pop() ?? "";
        for (const line of lines) {
          transport.received.push(line);
          transport.onmessage?.(fromJson(line));
        }
      });
    },
    send: async (message) => {
      transport.sent.push(JSON.stringify(message));
      toServer.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      toServer.end();
      transport.onclose?.();
    },
  };
  return transport;
}

/** A transport to a server that a factory builds, over the SDK's own stdio serving. */
export function serveInMemory(build: (era: Era) => McpServer | Promise<McpServer>): LineTransport {
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  serveStdio(({ era }) => build(era), {
    transport: new StdioServerTransport(toServer, fromServer),
  });
  return lineTransport(toServer, fromServer);
}

const INFO = { name: "test", version: "1.0.0" };
const PINNED: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } };

/** What tests need of a client of either SDK line. */
export interface AnyClient {
  readonly name: string;
  readonly era: Era;
  readonly connect: (transport: LineTransport) => Promise<void>;
  readonly listTools: () => Promise<{ readonly tools: readonly Tool[] }>;
  readonly callTool: (name: string, args: Record<string, unknown>) => Promise<Result>;
  readonly close: () => Promise<void>;
}

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly type?: unknown; readonly [key: string]: unknown };
  readonly outputSchema?: { readonly type?: unknown; readonly [key: string]: unknown } | undefined;
  readonly annotations?: object | undefined;
}

/** A tool result as a client hands it out. */
export interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** One client of each kind: 1.x, 2.x in its default mode, 2.x pinned to the modern era. */
export function clients(): readonly AnyClient[] {
  return [
    wrapLegacy(new LegacyClient(INFO, { capabilities: {} })),
    wrapModern("2.x", "legacy", new ModernClient(INFO)),
    wrapModern("2.x pinned", "modern", new ModernClient(INFO, PINNED)),
  ];
}

/** A 2.x client in the modern era that can show a person a URL; `onUrl` is asked each time. */
export function urlClient(onUrl: (url: string) => "accept" | "decline" | "cancel"): AnyClient {
  const client = new ModernClient(INFO, { ...PINNED, capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: onUrl("url" in params ? params.url : ""),
  }));
  return wrapModern("2.x with URL elicitation", "modern", client);
}

/** The client of a kind, by its place in `clients()`. */
export function clientAt(i: number): AnyClient {
  const client = clients()[i];
  if (!client) throw new RangeError(`no client ${i}`);
  return client;
}

function resultOf(result: object): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both SDK lines have checked it against MCP's schema
  return result as Result;
}

function wrapLegacy(client: LegacyClient): AnyClient {
  return {
    name: "1.x",
    era: "legacy",
    connect: (transport) => client.connect(transport),
    listTools: () => client.listTools(),
    callTool: async (name, args) => resultOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function wrapModern(name: string, era: Era, client: ModernClient): AnyClient {
  return {
    name,
    era,
    connect: (transport) => client.connect(transport),
    listTools: () => client.listTools(),
    callTool: async (tool, args) =>
      resultOf(await client.callTool({ name: tool, arguments: args })),
    close: () => client.close(),
  };
}
