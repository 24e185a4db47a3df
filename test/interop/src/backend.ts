import { createServer, type Server } from "node:http";

/** A stand-in for the workbench's backend on this machine. */
export interface Backend {
  readonly origin: string;
  /** Method and path of each request, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

const WHOAMI = {
  actor: "agent:1",
  principal: "team:a",
  tenant: "t1",
  scopes: ["workbench:read", "workbench:write", "workbench:publish"],
};
const EMPTY_LIST = { status: "ok", items: [], nextCursor: null };

/** Starts one on a free loopback port: it knows the caller, and every list is empty. */
export async function startBackend(): Promise<Backend> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    const body = request.url === "/v1/whoami" ? WHOAMI : EMPTY_LIST;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const origin = await listen(server);
  return { origin, seen, close: () => stop(server) };
}

/** A loopback origin that nobody listens on: a port that was free a moment ago. */
export async function closedOrigin(): Promise<string> {
  const server = createServer();
  const origin = await listen(server);
  await stop(server);
  return origin;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
