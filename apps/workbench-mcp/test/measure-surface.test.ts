import { describe, expect, test } from "vitest";
import { type JsonValue, canonicalJson } from "@eve/canonical-json";
import { surfacePins } from "@eve/trust-admission";
import { toResult } from "../src/answers.ts";
import { measureSurface } from "../src/measure-surface.ts";
import { ERA_VERSION, type Era } from "../src/protocol-era.ts";
import { buildServer } from "../src/server-factory.ts";
import { TOOLS } from "../src/tools/index.ts";
import { fromJson } from "./from-json.ts";
import { RISK_CLASSES } from "./good-registry.ts";
import { clients, serveInMemory } from "./memory.ts";

const PARTS = { tools: TOOLS, riskClasses: RISK_CLASSES };
const ERAS: readonly Era[] = ["legacy", "modern"];

async function measured(era: Era, parts = PARTS) {
  const observed = await measureSurface(parts, era);
  if (!observed.ok) throw new Error(JSON.stringify(observed.refusals));
  return observed.surface;
}

describe.each(ERAS)("measureSurface in the %s era", (era) => {
  test("sees the seven tools in the era's own version", async () => {
    const surface = await measured(era);
    expect(surface.protocolVersion).toBe(ERA_VERSION[era]);
    expect(surface.tools.map((tool) => tool["name"])).toEqual([...RISK_CLASSES.keys()]);
    expect([surface.prompts, surface.resources, surface.resourceTemplates]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("sees exactly what a client is served with a handler", async () => {
    const surface = await measured(era);
    const client = clients().findLast((candidate) => candidate.era === era);
    const transport = serveInMemory(() =>
      buildServer({ ...PARTS, handler: async () => toResult({ status: "ok" }) }),
    );
    await client?.connect(transport);
    await client?.listTools();
    const line = transport.received
      .map((text) => fromJson<{ result?: { tools?: JsonValue } }>(text))
      .find(({ result }) => result?.tools !== undefined);
    expect(canonicalJson(line?.result?.tools ?? null)).toBe(canonicalJson([...surface.tools]));
    await client?.close();
  });

  test("gives the same pins each time", async () => {
    const [first, second] = [surfacePins(await measured(era)), surfacePins(await measured(era))];
    expect(first).toEqual(second);
  });

  test("gives other pins when a risk class, a description or a schema changes", async () => {
    const [first] = TOOLS;
    if (!first) throw new Error("no tools");
    const good = surfacePins(await measured(era));
    const reclassed = surfacePins(
      await measured(era, {
        ...PARTS,
        riskClasses: new Map([...RISK_CLASSES, [first.name, "write" as const]]),
      }),
    );
    const reworded = surfacePins(
      await measured(era, {
        ...PARTS,
        tools: [{ ...first, description: `${first.description} ` }, ...TOOLS.slice(1)],
      }),
    );
    expect(reclassed.tools[0]?.pins.definition).not.toBe(good.tools[0]?.pins.definition);
    expect(reworded.tools[0]?.pins.description).not.toBe(good.tools[0]?.pins.description);
    expect(reworded.tools.slice(1)).toEqual(good.tools.slice(1));
  });
});

test("the two eras agree on schemas and descriptions", async () => {
  const [legacy, modern] = [
    surfacePins(await measured("legacy")),
    surfacePins(await measured("modern")),
  ];
  const shared = ({ tools }: typeof legacy) =>
    tools.map(({ pins: { inputSchema, description } }) => [inputSchema, description]);
  expect(shared(legacy)).toEqual(shared(modern));
});

test("refuses a surface without tools: surface.empty", async () => {
  const observed = await measureSurface({ ...PARTS, tools: [] }, "modern");
  expect(observed.ok ? [] : observed.refusals.map(({ code }) => code)).toEqual(["surface.empty"]);
});
