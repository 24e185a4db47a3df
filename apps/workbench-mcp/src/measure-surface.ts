import { PassThrough } from "node:stream";
import { type ObservedSurface, observeSurface } from "@eve/mcp-guard";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { INTEGRATION } from "./identity.ts";
import { ERA_VERSION, type Era } from "./protocol-era.ts";
import { type ServerParts, buildServer } from "./server-factory.ts";

/**
 * Measures what `buildServer` shows in one era, from the raw bytes of an in-memory stdio connection and without a
 * handler: no call can be answered while measuring. Answers as observeSurface does and never rejects.
 */
export async function measureSurface(
  parts: Omit<ServerParts, "handler">,
  era: Era,
): Promise<ObservedSurface> {
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  const served = serveStdio(() => buildServer({ ...parts, handler: undefined }), {
    transport: new StdioServerTransport(toServer, fromServer),
  });
  try {
    return await observeSurface(
      { toServer, fromServer },
      { integration: INTEGRATION, protocolVersion: ERA_VERSION[era], clientCapabilities: {} },
    );
  } finally {
    await served.close();
  }
}
