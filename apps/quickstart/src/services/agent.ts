import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import type { StdioLaunch } from "@eve/mcp-guard";
import { Client } from "@modelcontextprotocol/client";
import { ObservedTransport } from "../observed-transport.ts";
import type { RunContext } from "../run-context.ts";
import { StepError } from "../step-error.ts";

/** A coding agent: the official client, connected to the real stdio server. */
export interface Agent {
  /** Calls a tool and answers its structured content. Rejects with StepError where there is none. */
  readonly call: (tool: string, args: JsonObject) => Promise<JsonObject>;
}

const TIMEOUT_MS = 30_000;

/** Starts a stdio server as an agent would and keeps it until the run ends. */
export async function startAgent(
  launch: StdioLaunch,
  { signal, cleanup }: RunContext,
): Promise<Agent> {
  const client = new Client({ name: "eve-quickstart", version: "1.0.0" }, { capabilities: {} });
  cleanup.add(() => client.close());
  await client.connect(new ObservedTransport(launch, signal), { timeout: TIMEOUT_MS });
  return {
    call: async (name, args) => {
      const result = await client.callTool(
        { name, arguments: { ...args } },
        { timeout: TIMEOUT_MS },
      );
      const parsed = parseJson(Buffer.from(JSON.stringify(result.structuredContent ?? null)));
      if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
      throw new StepError(`expected structured content from ${name}; found none`);
    },
  };
}
