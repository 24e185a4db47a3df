import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";

/** One request as the backend got it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What a backend answers: JSON with a status, or whatever a function writes. */
export type Reply =
  | { readonly status?: number; readonly type?: string; readonly body: unknown }
  | ((response: ServerResponse) => void);

/** A real HTTP server that stands for the workbench's backend. */
export interface Backend {
  readonly origin: string;
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
}

export const WHOAMI = {
  actor: "agent:1",
  principal: "team:a",
  tenant: "t1",
  scopes: ["workbench:read", "workbench:write", "workbench:publish"],
};

/** Starts one on a free loopback port. `reply` is asked for each request; `/v1/whoami` has a good answer of its own. */
export async function startBackend(
  reply: (seen: Seen) => Reply,
  whoami: (seen: Seen) => Reply = () => ({ body: WHOAMI }),
): Promise<Backend> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: await read(request) };
    seen.push(one);
    send(response, one.path === "/v1/whoami" ? whoami(one) : reply(one));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    seen,
    close: () => stop(server),
  };
}

/** A problem+json answer with a refusal code. */
export function problem(code: unknown, status = 403, more: object = {}): Reply {
  return {
    status,
    type: "application/problem+json; charset=utf-8",
    body: { type: "about:blank", title: "Text of the wire", status, code, ...more },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply === "function") return reply(response);
  const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
  response
    .writeHead(reply.status ?? 200, { "content-type": reply.type ?? "application/json" })
    .end(text);
}

async function read(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
