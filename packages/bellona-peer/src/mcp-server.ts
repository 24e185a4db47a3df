import { McpServer } from "@modelcontextprotocol/server";
import { BELLONA_PING } from "./ping.ts";

/** The version of the surface. */
const BELLONA_VERSION = "1.0.0";

/** The protocol versions served: both eras. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2026-07-28"];

/**
 * Builds the server of one request, of either era; its surface is the same for every caller and never changes, so
 * that a listener has nothing to wait for and no stream stays open.
 */
export function buildMcpServer(): McpServer {
  const server = new McpServer(
    { name: "bellona", version: BELLONA_VERSION },
    {
      instructions: "A reference peer. bellona_ping answers the nonce it is given.",
      capabilities: { tools: { listChanged: false } },
      supportedProtocolVersions: PROTOCOL_VERSIONS,
    },
  );
  const { name, ...definition } = BELLONA_PING;
  server.registerTool(name, definition, ({ nonce }) => ({
    content: [{ type: "text", text: JSON.stringify({ nonce }) }],
    structuredContent: { nonce },
  }));
  return server;
}
