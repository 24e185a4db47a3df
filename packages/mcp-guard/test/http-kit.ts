import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { JsonObject } from "@eve/canonical-json";

/** One request as a server got it. */
export interface Asked {
  readonly verb: string;
  readonly headers: IncomingMessage["headers"];
  readonly id: number | undefined;
  readonly method: string | undefined;
  readonly cursor: string | undefined;
}

/** A server on loopback, what it was asked, and how it ends. */
export interface RunningServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Answers one request; `undefined` leaves it to the honest answer. */
export type Lie = (asked: Asked, response: ServerResponse) => unknown;

const TOOL = { name: "honest", description: "Honest.", inputSchema: { type: "object" } };

/** A result as a whole JSON-RPC message. */
export function result(id: unknown, value: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: value });
}

/** An error as a whole JSON-RPC message, with a text that must never be shown. */
export function rpcError(id: unknown, code: number, data?: JsonObject): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code, message: "SERVER TEXT", ...(data && { data }) },
  });
}

/** What an honest server answers. */
export function honest({ id, method }: Asked): string {
  if (method === "initialize")
    return result(id, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "SERVER TEXT", version: "1" },
    });
  if (method === "server/discover")
    return result(id, {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
    });
  return result(id, { tools: [TOOL] });
}

/** Sends a body of a media type with status 200, unless told otherwise. */
export function send(
  response: ServerResponse,
  body: string | Uint8Array,
  { status = 200, type = "application/json" } = {},
): true {
  response.writeHead(status, { "content-type": type }).end(body);
  return true;
}

/** Starts an honest server with one lie. */
export async function lyingServer(lie: Lie = () => undefined): Promise<RunningServer> {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const message: { id?: number; method?: string; params?: { cursor?: string } } =
      body === "" ? {} : JSON.parse(body);
    const one: Asked = {
      verb: request.method ?? "",
      headers: request.headers,
      id: message.id,
      method: message.method,
      cursor: message.params?.cursor,
    };
    asked.push(one);
    if ((await lie(one, response)) !== undefined) return;
    if (one.id === undefined) response.writeHead(202).end();
    else send(response, honest(one));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
