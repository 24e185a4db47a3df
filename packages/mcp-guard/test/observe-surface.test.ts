import { PassThrough } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { observeSurface, type WireChannel } from "../src/index.ts";
import { actualOf, codeOf, request, seen, text, toolNames } from "./kit.ts";

interface BytePair extends WireChannel {
  readonly toServer: PassThrough;
  readonly fromServer: PassThrough;
}

function bytePair(): BytePair {
  return { toServer: new PassThrough(), fromServer: new PassThrough() };
}

/** A server of the official SDK with two tools, a prompt and a resource. */
function sdkServer(): McpServer {
  const server = new McpServer({ name: "sdk", version: "1.0.0" }, { instructions: "Ask kindly." });
  server.registerTool(
    "greet",
    { description: "Greets.", inputSchema: z.object({ name: z.string() }) },
    () => ({ content: [] }),
  );
  server.registerTool(
    "part",
    { description: "Parts.", annotations: { readOnlyHint: true } },
    () => ({ content: [] }),
  );
  server.registerPrompt("hello", { description: "Says hello." }, () => ({ messages: [] }));
  server.registerResource("note", "memo://note", {}, () => ({ contents: [] }));
  return server;
}

describe("the official SDK's server over byte streams in memory", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((handle) => handle.close()));
  });

  function serve(): WireChannel {
    const { toServer, fromServer } = bytePair();
    open.push(serveStdio(sdkServer, { transport: new StdioServerTransport(toServer, fromServer) }));
    return { toServer, fromServer };
  }

  it.each(["2025-11-25", "2026-07-28"])("is observed whole in %s", async (protocolVersion) => {
    const observed = seen(await observeSurface(serve(), request({ protocolVersion })));
    const { surface } = observed;
    expect(toolNames(observed)).toEqual(["greet", "part"]);
    expect(surface).toMatchObject({ protocolVersion, instructions: "Ask kindly." });
    expect(Object.keys(surface.capabilities ?? {})).toEqual(
      expect.arrayContaining(["tools", "prompts", "resources"]),
    );
    expect(surface.prompts).toMatchObject([{ name: "hello" }]);
    expect(surface.resources).toMatchObject([{ uri: "memo://note" }]);
    expect(surface.resourceTemplates).toEqual([]);
    expect(observed.raw.map(({ method }) => method)).toEqual([
      protocolVersion === "2025-11-25" ? "initialize" : "server/discover",
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]);
  });

  it("keeps the modern answer's own members in the raw line", async () => {
    const { raw } = seen(await observeSurface(serve(), request({ protocolVersion: "2026-07-28" })));
    const tools = raw.find(({ method }) => method === "tools/list");
    expect(text(tools?.bytes ?? new Uint8Array())).toMatch(/"resultType":"complete".*"ttlMs":0/);
  });

  it("leaves the channel open", async () => {
    const channel = serve();
    seen(await observeSurface(channel, request()));
    expect([channel.toServer.writable, channel.fromServer.readable]).toEqual([true, true]);
  });
});

describe("a channel without a server is refused, never rejected", () => {
  const limits = { timeoutMs: 50 };

  it("silence: surface.unavailable", async () => {
    const observed = await observeSurface(bytePair(), request({ limits }));
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("no answer within 50 ms");
  });

  it("an end, before or after it began: surface.unavailable", async () => {
    const before = bytePair();
    before.fromServer.destroy();
    expect(actualOf(await observeSurface(before, request()))).toBe("the stream ended");
    const after = bytePair();
    const observing = observeSurface(after, request());
    after.fromServer.end();
    expect(actualOf(await observing)).toBe("the stream ended");
  });

  it("streams that break: surface.unavailable", async () => {
    const channel = bytePair();
    const observing = observeSurface(channel, request({ limits }));
    channel.toServer.destroy(new Error("EPIPE"));
    channel.fromServer.destroy(new Error("ECONNRESET"));
    expect(codeOf(await observing)).toBe("surface.unavailable");
  });

  it("what was said before the input broke is still read: protocol.framing", async () => {
    const channel = bytePair();
    const observing = observeSurface(channel, request());
    channel.toServer.destroy(new Error("EPIPE"));
    channel.fromServer.write("no protocol\n");
    expect(codeOf(await observing)).toBe("protocol.framing");
  });

  it("a fault of the caller's own values: surface.unavailable", async () => {
    const clientCapabilities: Record<string, never> = {};
    Object.assign(clientCapabilities, { itself: clientCapabilities });
    const observed = await observeSurface(bytePair(), request({ clientCapabilities }));
    expect(codeOf(observed)).toBe("surface.unavailable");
    expect(actualOf(observed)).toBe("an internal error");
  });
});
