import type { JsonObject } from "@eve/canonical-json";
import { goodSurface, type KitSurface, VERSIONS } from "@eve/test-kit";

/** What a scripted server shows and does. */
export interface ScriptOptions {
  /** One surface a protocol version it speaks; the kit's good ones where not said. */
  readonly surfaces?: readonly KitSurface[];
  /** Statements it runs before it reads its first line. */
  readonly first?: string;
}

/** The good surfaces with one change made to each. */
export function surfacesWith(change: (surface: KitSurface) => KitSurface): readonly KitSurface[] {
  return VERSIONS.map((version) => change(goodSurface(version)));
}

/** The source of a plain stdio MCP server without dependencies that speaks both protocol eras. */
export function serverScript({
  surfaces = VERSIONS.map(goodSurface),
  first = "",
}: ScriptOptions = {}): string {
  return `import { createInterface } from "node:readline";
${first}
const surfaces = ${JSON.stringify(Object.fromEntries(surfaces.map((one) => [one.protocolVersion, membersOf(one)])))};
let opened;
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const lists = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};
function result(method, params) {
  if (method === "initialize") {
    opened = params.protocolVersion in surfaces ? params.protocolVersion : Object.keys(surfaces)[0];
    const { instructions, capabilities } = surfaces[opened];
    return { protocolVersion: opened, instructions, capabilities, serverInfo: { name: "SERVER TEXT", version: "1" } };
  }
  const modern = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  const shown = surfaces[modern ?? opened];
  if (method === "server/discover" && shown) {
    const { instructions, capabilities } = shown;
    return { resultType: "complete", supportedVersions: Object.keys(surfaces), instructions, capabilities };
  }
  const list = lists[method];
  if (!list || !shown) return undefined;
  return { ...(modern && { resultType: "complete" }), [list]: shown[list] };
}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = result(method, params);
  write(answer ? { id, result: answer } : { id, error: { code: -32601, message: "SERVER TEXT" } });
});
`;
}

function membersOf({
  instructions,
  capabilities,
  tools,
  prompts,
  resources,
  resourceTemplates,
}: KitSurface): object {
  return { instructions, capabilities, tools, prompts, resources, resourceTemplates };
}

/** One tool of the kit's surface changed, in every protocol version. */
export function surfacesWithTool(
  name: string,
  change: (tool: JsonObject) => JsonObject,
): readonly KitSurface[] {
  return surfacesWith((surface) => ({
    ...surface,
    tools: surface.tools.map((tool) => (tool["name"] === name ? change(tool) : tool)),
  }));
}
