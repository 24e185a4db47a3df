import { describe, expect, test } from "vitest";
import { annotationsFor } from "@eve/trust-admission";
import { toResult } from "../src/answers.ts";
import { type ToolHandler, buildServer } from "../src/server-factory.ts";
import { TOOLS } from "../src/tools/index.ts";
import { fromJson } from "./from-json.ts";
import { RISK_CLASSES } from "./good-registry.ts";
import { type AnyClient, clientAt, clients, serveInMemory } from "./memory.ts";

const REFUSED = { status: "refused", code: "x.y", title: "t", remedy: "r" } as const;
const KINDS = clients().map(({ name }, i) => [name, i] as const);

async function connected(i: number, handler: ToolHandler | undefined): Promise<AnyClient> {
  const client = clientAt(i);
  await client.connect(
    serveInMemory(() => buildServer({ tools: TOOLS, riskClasses: RISK_CLASSES, handler })),
  );
  return client;
}

describe.each(KINDS)("buildServer to a client of kind %s", (_name, i) => {
  test("lists the seven tools with object-rooted schemas and the annotations of their class", async () => {
    const client = await connected(i, undefined);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...RISK_CLASSES.keys()]);
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
      expect(annotations).toEqual(annotationsFor(RISK_CLASSES.get(name) ?? "destructive"));
    }
    await client.close();
  });

  test("hands the handler the arguments as sent, and its refusal passes the client's own output check", async () => {
    const seen: unknown[] = [];
    const client = await connected(i, async (tool, args) => {
      seen.push([tool.name, args]);
      return toResult(REFUSED);
    });
    await client.listTools();
    const result = await client.callTool("workbench_get_item", { itemId: 5, more: [1] });
    expect(seen).toEqual([["workbench_get_item", { itemId: 5, more: [1] }]]);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({
      status: "refused",
      code: "x.y",
      title: "t",
      remedy: "r",
    });
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent);
    await client.close();
  });

  test("refuses each call while it has no handler: call.tool_unpinned", async () => {
    const client = await connected(i, undefined);
    await client.listTools();
    const result = await client.callTool("workbench_ship_item", { itemId: "a", channel: "beta" });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: "refused", code: "call.tool_unpinned" },
    });
    await client.close();
  });
});

describe("buildServer", () => {
  test("shows no annotations for a tool without a risk class", async () => {
    const client = clientAt(0);
    await client.connect(
      serveInMemory(() =>
        buildServer({ tools: TOOLS, riskClasses: new Map(), handler: undefined }),
      ),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations)).toEqual(TOOLS.map(() => undefined));
    await client.close();
  });

  test.each(["2025-06-18", "2025-03-26", "2024-11-05", "1999-01-01"])(
    "answers an initialize for %s with the one legacy version it serves",
    async (protocolVersion) => {
      const transport = serveInMemory(() =>
        buildServer({ tools: TOOLS, riskClasses: RISK_CLASSES, handler: undefined }),
      );
      await transport.start();
      await transport.send({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
      });
      await expect.poll(() => transport.received.length).toBe(1);
      const { result } = fromJson<{ result: Record<string, unknown> }>(transport.received[0] ?? "");
      expect(result["protocolVersion"]).toBe("2025-11-25");
      expect(result["capabilities"]).toEqual({ tools: { listChanged: false } });
      expect(result["instructions"]).toMatch(/human operator's approval/);
      await transport.close();
    },
  );
});
