import { inheritedEnvironment } from "@eve/mcp-guard";
import { Client as ModernClient, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Launch } from "./trial.ts";

/** A tool as an SDK shows it. */
interface ShownTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: object | undefined;
}

/** A tool result as an SDK hands it out. */
export interface ShownResult {
  readonly [member: string]: unknown;
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

/** A session of an official client with a program that it started over its own stdio transport. */
export interface Session {
  readonly protocolVersion: string | undefined;
  /** Process id of the program. */
  readonly pid: number | null;
  listTools(): Promise<readonly ShownTool[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ShownResult>;
  close(): Promise<void>;
}

/** One of the official clients in one of its modes. */
export interface SdkMode {
  readonly name: string;
  /** The version it settles on with a server that speaks both. */
  readonly protocolVersion: "2025-11-25" | "2026-07-28";
  /** Whether its user sees the error that answers an opening request. */
  readonly showsRefusal: boolean;
  /** Starts the program and opens; rejects as the SDK does. */
  connect(launch: Launch): Promise<Session>;
}

const INFO = { name: "interop", version: "1.0.0" };

/** Every mode of both SDK lines that speaks stdio. */
export const SDK_MODES: readonly SdkMode[] = [
  { name: "sdk 1.x", protocolVersion: "2025-11-25", showsRefusal: true, connect: connectLegacy },
  modern("legacy", "2025-11-25", true, {}),
  modern("auto", "2026-07-28", true, { versionNegotiation: { mode: "auto" } }),
  modern("pinned", "2026-07-28", false, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
];

function modern(
  mode: string,
  protocolVersion: SdkMode["protocolVersion"],
  showsRefusal: boolean,
  options: ClientOptions,
): SdkMode {
  const connect = (launch: Launch): Promise<Session> => connectModern(launch, options);
  return { name: `client 2.x ${mode}`, protocolVersion, showsRefusal, connect };
}

async function connectLegacy(launch: Launch): Promise<Session> {
  const client = new LegacyClient(INFO, { capabilities: {} });
  const transport = new LegacyTransport(parametersOf(launch));
  let protocolVersion: string | undefined;
  // The client tells its transport, and nobody else, what was negotiated.
  const told = Object.assign(transport, {
    setProtocolVersion: (version: string) => {
      protocolVersion = version;
    },
  });
  await client.connect(told);
  return {
    protocolVersion,
    pid: transport.pid,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

async function connectModern(launch: Launch, options: ClientOptions): Promise<Session> {
  const client = new ModernClient(INFO, options);
  const transport = new ModernTransport(parametersOf(launch));
  await client.connect(transport);
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    pid: transport.pid,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

/** The environment is always passed: without one, an SDK's transport hands on a few names of its own choice. */
function parametersOf({ command, args, cwd, env }: Launch): {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stderr: "ignore";
} {
  return { command, args: [...args], cwd, env: { ...inheritedEnvironment(env) }, stderr: "ignore" };
}
