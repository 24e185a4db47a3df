import { createServer } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { observeHttpServer } from "../src/index.ts";
import {
  type Asked,
  honest,
  type Lie,
  lyingServer,
  result,
  rpcError,
  type RunningServer,
  send,
} from "./http-kit.ts";
import { actualOf, codeOf, request, seen, text, toolNames } from "./kit.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function liar(lie?: Lie): Promise<RunningServer> {
  const server = await lyingServer(lie);
  open.push(server);
  return server;
}

/** Lies about one method only. */
function about(method: string, lie: Lie): Lie {
  return (asked, response) => (asked.method === method ? lie(asked, response) : undefined);
}

const sse = (...messages: readonly string[]): string =>
  messages.map((message) => `event: message\ndata: ${message}\n\n`).join("");
const stream = { type: "text/event-stream" };

function sdkServer(): McpServer {
  const server = new McpServer({ name: "sdk", version: "1.0.0" }, { instructions: "Ask kindly." });
  server.registerTool(
    "greet",
    { description: "Greets.", inputSchema: z.object({ name: z.string() }) },
    () => ({ content: [] }),
  );
  server.registerPrompt("hello", { description: "Says hello." }, () => ({ messages: [] }));
  server.registerResource("note", "memo://note", {}, () => ({ contents: [] }));
  return server;
}

/** The official SDK's handler behind a plain HTTP server. */
async function sdkHttp(): Promise<string> {
  const handler = createMcpHandler(sdkServer, { keepAliveMs: 0 });
  const server = createServer((req, res) => {
    const serve = async (): Promise<void> => {
      const bytes = await buffer(req);
      const headers = new Headers(Object.entries(req.headers).map(([k, v]) => [k, String(v)]));
      const body = req.method === "POST" ? { body: new Uint8Array(bytes) } : {};
      const answer = await handler.fetch(
        new Request("http://127.0.0.1/mcp", { method: req.method ?? "", headers, ...body }),
      );
      res.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) res.end();
      else Readable.fromWeb(answer.body).pipe(res);
    };
    serve().catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  open.push({
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`;
}

describe("the official SDK's server over Streamable HTTP", () => {
  it.each(["2025-11-25", "2026-07-28"])("is observed whole in %s", async (protocolVersion) => {
    const observed = seen(
      await observeHttpServer({ url: await sdkHttp() }, request({ protocolVersion })),
    );
    expect(toolNames(observed)).toEqual(["greet"]);
    expect(observed.surface).toMatchObject({
      protocolVersion,
      instructions: "Ask kindly.",
      prompts: [{ name: "hello" }],
      resources: [{ uri: "memo://note" }],
      resourceTemplates: [],
    });
    expect(observed.raw.map(({ method }) => method)).toEqual([
      protocolVersion === "2025-11-25" ? "initialize" : "server/discover",
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]);
    for (const { bytes } of observed.raw) expect(JSON.parse(text(bytes))).toHaveProperty("result");
  });
});

describe("what is sent", () => {
  it("carries the caller's headers everywhere, and keeps and ends the legacy session", async () => {
    const server = await liar((asked, response) => {
      response.setHeader("mcp-session-id", "session-1");
      return asked.verb === "DELETE" ? send(response, "", { status: 405 }) : undefined;
    });
    const headers = { authorization: "Bearer CANARY", accept: "text/html" };
    seen(await observeHttpServer({ url: server.url, headers }, request()));
    expect(server.asked.map(({ verb, method }) => method ?? verb)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "DELETE",
    ]);
    for (const { headers: sent } of server.asked) expect(sent.authorization).toBe("Bearer CANARY");
    expect(server.asked.map(({ headers: sent }) => sent["mcp-session-id"])).toEqual([
      undefined,
      "session-1",
      "session-1",
      "session-1",
    ]);
    expect(server.asked[0]?.headers).not.toHaveProperty("mcp-protocol-version");
    expect(server.asked[0]?.headers.accept).toBe("application/json, text/event-stream");
    expect(server.asked[2]?.headers["mcp-protocol-version"]).toBe("2025-11-25");
  });

  it("waits until the server took initialized before it asks more", async () => {
    const told: string[] = [];
    const server = await liar(async ({ method }, response) => {
      if (method !== "notifications/initialized") {
        told.push(method ?? "");
        return undefined;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      told.push(method);
      response.writeHead(202).end();
      return true;
    });
    seen(await observeHttpServer(server, request()));
    expect(told).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  it("names version and method in the modern era, and takes no session", async () => {
    const server = await liar((_, response) => {
      response.setHeader("mcp-session-id", "session-1");
    });
    seen(await observeHttpServer(server, request({ protocolVersion: "2026-07-28" })));
    expect(server.asked.map(({ headers }) => headers)).toMatchObject([
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
    ]);
    expect(server.asked[1]?.headers).not.toHaveProperty("mcp-session-id");
  });

  it("nothing goes to an address that is not exact, or not https beyond loopback: surface.unavailable", async () => {
    const fetchLike = vi.fn<typeof fetch>();
    for (const url of [
      "http://bellona.example/mcp",
      "http://localhost:4093/mcp",
      "http://127.0.0.1",
      "HTTPS://bellona.example/mcp",
      "https://user:secret@bellona.example/mcp",
      "https://bellona.example/mcp#",
      "file:///etc/passwd",
      "no address",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const observed = await observeHttpServer({ url, fetch: fetchLike }, request());
      expect([url, codeOf(observed)]).toEqual([url, "surface.unavailable"]);
    }
    expect(fetchLike).not.toHaveBeenCalled();
  });
});

const paged = (asked: Asked): string =>
  result(asked.id, {
    tools: [{ name: `t${asked.cursor ?? "0"}`, inputSchema: { type: "object" } }],
    ...(asked.cursor !== "2" && { nextCursor: asked.cursor === "1" ? "2" : "1" }),
  });

describe("pages and streams", () => {
  it("reads every page, as JSON and as events, and keeps the exact bytes", async () => {
    const json = await liar(about("tools/list", (asked, res) => send(res, `${paged(asked)}\n`)));
    const observed = seen(await observeHttpServer(json, request()));
    expect(toolNames(observed)).toEqual(["t0", "t1", "t2"]);
    expect(observed.raw.slice(1).every(({ bytes }) => text(bytes).endsWith("}\n"))).toBe(true);
    const events = await liar(
      about("tools/list", (asked, res) => send(res, sse(paged(asked)), stream)),
    );
    const streamed = seen(await observeHttpServer(events, request()));
    expect(toolNames(streamed)).toEqual(["t0", "t1", "t2"]);
    expect(streamed.raw.at(-1)?.bytes).toEqual(
      new TextEncoder().encode(
        '{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"t2","inputSchema":{"type":"object"}}]}}',
      ),
    );
  });

  it("answers what a server asks on the stream, and reads a changed list once more", async () => {
    let lists = 0;
    const server = await liar(
      about("tools/list", (asked, res) => {
        lists += 1;
        const changed = JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/tools/list_changed",
        });
        const ping = JSON.stringify({ jsonrpc: "2.0", id: "p", method: "ping" });
        return send(res, sse(...(lists === 1 ? [ping, changed] : []), honest(asked)), stream);
      }),
    );
    seen(await observeHttpServer(server, request()));
    expect(lists).toBe(2);
    expect(server.asked.some(({ method }) => method === undefined)).toBe(true);
  });

  it("a stream left open behind its answer does not hold the observation", async () => {
    const server = await liar(
      about("tools/list", (asked, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        return res.write(sse(honest(asked)));
      }),
    );
    const before = performance.now();
    seen(await observeHttpServer(server, request()));
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("a lying server is refused, and its text is never shown", () => {
  const json = (body: (asked: Asked) => string | Uint8Array): Lie =>
    about("tools/list", (asked, res) => send(res, body(asked)));
  const events = (body: (asked: Asked) => string): Lie =>
    about("tools/list", (asked, res) => send(res, body(asked), stream));
  const status = (code: number, body = '"SERVER TEXT"'): Lie =>
    about("tools/list", (_, res) => send(res, body, { status: code }));

  it.each<[string, string, Lie]>([
    ["duplicate keys", "protocol.framing", json((a) => honest(a).replace("{", '{"id":9,'))],
    [
      "duplicate keys in an event",
      "protocol.framing",
      events((a) => sse(honest(a).replace("{", '{"id":9,'))),
    ],
    ["__proto__", "protocol.framing", json((a) => honest(a).replace('"type"', '"__proto__"'))],
    ["invalid UTF-8", "protocol.framing", json(() => new Uint8Array([0x22, 0xff, 0x22]))],
    ["a byte order mark", "protocol.framing", json((a) => `\u{FEFF}${honest(a)}`)],
    [
      "a byte order mark before events",
      "protocol.framing",
      events((a) => `\u{FEFF}${sse(honest(a))}`),
    ],
    ["a bare CR", "protocol.framing", json((a) => honest(a).replace(",", ",\r"))],
    [
      "a bare CR between events",
      "protocol.framing",
      events((a) => sse(honest(a)).replace("\n", "\r")),
    ],
    ["a batch", "protocol.framing", json((a) => `[${honest(a)}]`)],
    ["a batch in an event", "protocol.framing", events((a) => sse(`[${honest(a)}]`))],
    ["two bodies in one", "protocol.framing", json((a) => `${honest(a)}${honest(a)}`)],
    ["an answer twice", "protocol.framing", events((a) => sse(honest(a), honest(a)))],
    ["another id", "protocol.framing", json((a) => honest({ ...a, id: 99 }))],
    [
      "its id as a string",
      "protocol.framing",
      json((a) => honest(a).replace(/"id":(\d+)/, '"id":"$1"')),
    ],
    [
      "a page of HTML",
      "protocol.framing",
      about("tools/list", (_, res) => send(res, "<p>", { type: "text/html" })),
    ],
    [
      "JSON under another type",
      "protocol.framing",
      about("tools/list", (a, res) => send(res, honest(a), { type: "text/plain" })),
    ],
    [
      "a session id with a space",
      "protocol.framing",
      about("initialize", (a, res) => send(res.setHeader("mcp-session-id", "a b"), honest(a))),
    ],
    ["no tools", "surface.empty", json((a) => result(a.id, { tools: [] }))],
    [
      "a repeated cursor",
      "surface.pagination_invalid",
      json((a) => result(a.id, { tools: [], nextCursor: "x" })),
    ],
    ["an error", "surface.unavailable", json((a) => rpcError(a.id, -32603))],
    ["an error without an id", "surface.unavailable", json(() => rpcError(null, -32603))],
    [
      "an error as HTTP 400",
      "surface.unavailable",
      about("tools/list", (a, res) => send(res, rpcError(a.id, -32602), { status: 400 })),
    ],
    [
      "a result as HTTP 400",
      "surface.unavailable",
      about("tools/list", (a, res) => send(res, honest(a), { status: 400 })),
    ],
    ["HTTP 401", "surface.unavailable", status(401)],
    ["HTTP 403", "surface.unavailable", status(403)],
    ["HTTP 404 without an error", "surface.unavailable", status(404)],
    ["HTTP 429", "surface.unavailable", status(429)],
    ["HTTP 500", "surface.unavailable", status(500)],
    ["HTTP 202 to a request", "surface.unavailable", status(202, "")],
    ["an empty stream", "surface.unavailable", events(() => ": nothing\n\n")],
    ["a stream cut inside its event", "surface.unavailable", events((a) => `data: ${honest(a)}\n`)],
    ["a broken connection", "surface.unavailable", about("tools/list", (_, res) => res.destroy())],
    [
      "a refused notification",
      "surface.unavailable",
      about("notifications/initialized", (_, res) => send(res, "", { status: 500 })),
    ],
    [
      "another version",
      "protocol.version_unadmitted",
      about("initialize", (a, res) => send(res, honest(a).replace("2025-11-25", "2025-06-18"))),
    ],
  ])("%s: %s", async (_, code, lie) => {
    const observed = await observeHttpServer(await liar(lie), request());
    expect(codeOf(observed)).toBe(code);
    expect(JSON.stringify(observed)).not.toContain("SERVER TEXT");
  });

  it("an unsupported version as HTTP 400 in the modern era: protocol.version_unadmitted", async () => {
    const server = await liar((asked, res) =>
      send(res, rpcError(asked.id, -32022, { supported: ["2025-11-25"] }), { status: 400 }),
    );
    const observed = await observeHttpServer(server, request({ protocolVersion: "2026-07-28" }));
    expect(codeOf(observed)).toBe("protocol.version_unadmitted");
  });

  it.each([301, 302, 303, 307, 308])(
    "a redirect %i is not followed: surface.unavailable",
    async (code) => {
      const target = await liar();
      const server = await liar((_, res) => {
        res.writeHead(code, { location: target.url }).end();
        return true;
      });
      const headers = { authorization: "Bearer CANARY" };
      const observed = await observeHttpServer({ url: server.url, headers }, request());
      expect(codeOf(observed)).toBe("surface.unavailable");
      expect(actualOf(observed)).toBe("a redirect");
      expect(target.asked).toEqual([]);
      expect(JSON.stringify(observed)).not.toContain("CANARY");
    },
  );

  it("a fetch that followed a redirect anyway: surface.unavailable", async () => {
    const server = await liar();
    const moved: typeof fetch = (_, init) => fetch(`${server.url}/moved`, init);
    const back: typeof fetch = async (_, init) =>
      Object.defineProperty(await fetch(server.url, init), "redirected", { value: true });
    for (const fetchLike of [moved, back]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const observed = await observeHttpServer({ url: server.url, fetch: fetchLike }, request());
      expect(actualOf(observed)).toBe("a redirect that was followed");
    }
  });
});

describe("what it may cost is bounded", () => {
  it("a body that is too long: protocol.framing", async () => {
    const server = await liar(about("tools/list", (_, res) => send(res, " ".repeat(5_000))));
    const observed = await observeHttpServer(server, request({ limits: { maxLineBytes: 4_096 } }));
    expect(codeOf(observed)).toBe("protocol.framing");
    expect(actualOf(observed)).toBe("body_too_long (at most 4096 bytes)");
  });

  it("a stream without end: surface.too_large", async () => {
    const server = await liar(
      about("tools/list", (_, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => res.write(`: ${"x".repeat(4_000)}\n`), 1);
        res.on("close", () => clearInterval(timer));
        return true;
      }),
    );
    const observed = await observeHttpServer(
      server,
      request({ limits: { maxTotalBytes: 100_000 } }),
    );
    expect(codeOf(observed)).toBe("surface.too_large");
  });

  it("pages and items: surface.too_large", async () => {
    let page = 0;
    const pages = await liar(
      about("tools/list", (asked, res) => {
        page += 1;
        return send(res, honest(asked).replace(/\}\}$/, `,"nextCursor":"${page}"}}`));
      }),
    );
    const observed = await observeHttpServer(pages, request({ limits: { maxPages: 3 } }));
    expect(codeOf(observed)).toBe("surface.too_large");
    expect(page).toBe(3);
  });

  it("silence, busy or not: surface.unavailable", async () => {
    const silent = await liar(about("tools/list", () => true));
    const limits = { timeoutMs: 100 };
    expect(actualOf(await observeHttpServer(silent, request({ limits })))).toBe(
      "no answer within 100 ms",
    );
    const busy = await liar(
      about("tools/list", (_, res) => {
        res.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => res.write(": busy\n\n"), 10);
        res.on("close", () => clearInterval(timer));
        return true;
      }),
    );
    expect(actualOf(await observeHttpServer(busy, request({ limits })))).toBe(
      "no answer within 100 ms",
    );
    expect(
      actualOf(
        await observeHttpServer(
          { url: busy.url, fetch: () => new Promise<never>(() => undefined) },
          request({ limits: { totalTimeoutMs: 100 } }),
        ),
      ),
    ).toBe("no end within 100 ms");
  });

  it("nobody there: surface.unavailable with the system's code", async () => {
    const server = await lyingServer();
    await server.close();
    expect(actualOf(await observeHttpServer(server, request()))).toBe(
      "no connection: ECONNREFUSED",
    );
  });

  it("a server that asks without end: surface.unavailable", async () => {
    const ask = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "sampling/createMessage" });
    const server = await liar(
      about("tools/list", (asked, res) =>
        send(res, sse(...Array.from({ length: 300 }, () => ask), honest(asked)), stream),
      ),
    );
    expect(actualOf(await observeHttpServer(server, request()))).toBe(
      "a server that asks without end",
    );
  });
});
