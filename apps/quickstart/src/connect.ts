import type { StdioLaunch } from "@eve/mcp-guard";
import { Client, type Tool } from "@modelcontextprotocol/client";
import { type Ending, ObservedTransport } from "./observed-transport.ts";

/** What the official client got: the tools it was served, or its error. Either way the server has ended. */
export type Connection =
  | {
      readonly served: true;
      readonly tools: readonly Tool[];
      readonly instructions: string | undefined;
    }
  | ({ readonly served: false; readonly error: ClientError } & Ending);

/** The error that a client's user would see. */
interface ClientError {
  readonly message: string;
  /** The member `code` of the JSON-RPC error's data, where there is one. */
  readonly code: string | undefined;
}

/** Longest that a server may take to answer one request, in ms. */
const TIMEOUT_MS = 30_000;

/** Starts a server as an agent would, with the official client, lists its tools and ends it. */
export async function connect(launch: StdioLaunch, signal: AbortSignal): Promise<Connection> {
  const client = new Client({ name: "eve-quickstart", version: "1.0.0" }, { capabilities: {} });
  const transport = new ObservedTransport(launch, signal);
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const { tools } = await client.listTools({}, { timeout: TIMEOUT_MS });
    return { served: true, tools, instructions: client.getInstructions() };
  } catch (error) {
    await transport.close();
    return { served: false, error: errorOf(error), ...(await transport.ending()) };
  } finally {
    await client.close();
  }
}

function errorOf(error: unknown): ClientError {
  const message = error instanceof Error ? error.message : "an error without a message";
  return { message, code: codeIn(memberOf(error, "data")) };
}

function codeIn(data: unknown): string | undefined {
  const code = memberOf(data, "code");
  return typeof code === "string" ? code : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
