import { annotationsFor } from "@eve/trust-admission";
import { pinsOfServer, pinsOfTool } from "@eve/test-kit";
import { describe, expect, test, type TestContext } from "vitest";
import { closedOrigin } from "../src/backend.ts";
import { objectAt, objectsAt, parseObject } from "../src/json.ts";
import { SDK_MODES, type SdkMode, type Session, type ShownResult } from "../src/sdk-clients.ts";
import { goodWorkbench, type Launch, localAt, requireEntry, workbenchTrial } from "../src/trial.ts";
import { wireSurface, wireTool } from "../src/wire-surface.ts";

const good = goodWorkbench();
const { tools: pinned } = requireEntry(good.entry);
const names = pinned.map(({ name }) => name).toSorted();
const VERSIONS = ["2025-11-25", "2026-07-28"] as const;

async function open(
  mode: SdkMode,
  launch: Launch,
  { onTestFinished }: TestContext,
): Promise<Session> {
  const session = await mode.connect(launch);
  onTestFinished(() => session.close());
  return session;
}

describe.concurrent.each(VERSIONS)("the wire of the built workbench in %s", (version) => {
  test("shows seven tools whose pins are the registry's, and nothing else (ADR-0092-403)", async () => {
    const surface = await wireSurface(workbenchTrial(good).launch, version);
    expect(surface.tools).toHaveLength(7);
    const live = surface.tools.map((tool) => ({ name: tool["name"], ...pinsOfTool(tool) }));
    const reviewed = objectsAt(good.entry, "tools").map((tool) => {
      const pins = objectAt(tool, "pins");
      return { ...pins, name: tool["name"], definition: objectAt(pins, "definition")[version] };
    });
    expect(live).toEqual(reviewed);
    expect(pinsOfServer(surface)).toEqual(objectAt(objectAt(good.entry, "surface"), version));
  });

  test("carries the annotations of each tool's class in the entry (ADR-0092-403)", async () => {
    const surface = await wireSurface(workbenchTrial(good).launch, version);
    for (const { name, riskClass } of pinned)
      expect(wireTool(surface, name)["annotations"]).toEqual(annotationsFor(riskClass));
  });
});

describe.concurrent.each(SDK_MODES)("$name", (mode) => {
  test(`negotiates ${mode.protocolVersion} and shows the seven tools as they came over the wire (ADR-0092-402)`, async (context) => {
    const { launch } = workbenchTrial(good);
    const session = await open(mode, launch, context);
    expect(session.protocolVersion).toBe(mode.protocolVersion);
    const shown = await session.listTools();
    expect(shown.map(({ name }) => name).toSorted()).toEqual(names);
    const surface = await wireSurface(launch, mode.protocolVersion);
    for (const { name, description, inputSchema, annotations } of shown) {
      const raw = wireTool(surface, name);
      expect({ description, inputSchema, annotations }).toEqual({
        description: raw["description"],
        inputSchema: raw["inputSchema"],
        annotations: raw["annotations"],
      });
    }
  });

  test("a call without a backend is refused in words, and the session goes on: workbench.unavailable", async (context) => {
    const { launch } = workbenchTrial(good, { entry: localAt(await closedOrigin()) });
    const session = await open(mode, launch, context);
    await session.listTools();
    expectUnavailable(await session.callTool("workbench_list_items", {}), launch);
    expectUnavailable(await session.callTool("workbench_claim_item", { itemId: "a" }), launch);
    expect(await session.listTools()).toHaveLength(7);
  });
});

function expectUnavailable(result: ShownResult, { env }: Launch): void {
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { status: "refused", code: "workbench.unavailable" },
    content: [{ type: "text" }],
  });
  const { content, structuredContent } = result;
  const [block] = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
  expect(parseObject(String(block?.text))).toEqual(structuredContent);
  expect(JSON.stringify(result)).not.toContain(env["OSHUN_WORKBENCH_TOKEN"]);
}
