import { isJsonObject, type JsonObject } from "@eve/canonical-json";
import { observeStdioServer } from "@eve/mcp-guard";
import type { Surface } from "@eve/trust-admission";
import { WORKBENCH } from "./repository.ts";
import type { Launch } from "./trial.ts";

/** The surface that a built workbench serves in one protocol version, from the raw bytes on its stdout. */
export async function wireSurface(launch: Launch, protocolVersion: string): Promise<Surface> {
  const observed = await observeStdioServer(launch, {
    integration: WORKBENCH,
    protocolVersion,
    clientCapabilities: {},
  });
  if (!observed.ok) throw new Error(JSON.stringify(observed.refusals));
  return observed.surface;
}

/** The tool of a name in a surface, as it came over the wire. */
export function wireTool({ tools }: Surface, name: string): JsonObject {
  const tool = tools.find((candidate) => candidate["name"] === name);
  if (!isJsonObject(tool)) throw new Error(`the wire has no tool ${name}`);
  return tool;
}
