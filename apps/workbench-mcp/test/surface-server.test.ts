import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "@eve/canonical-json";
import { observeStdioServer } from "@eve/mcp-guard";
import { INTEGRATION } from "../src/identity.ts";
import { measureSurface } from "../src/measure-surface.ts";
import { ERA_VERSION, type Era } from "../src/protocol-era.ts";
import { TOOLS } from "../src/tools/index.ts";
import { RISK_CLASSES } from "./good-registry.ts";

const SERVER = fileURLToPath(new URL("../src/surface-server.ts", import.meta.url));
const NODE = ["--conditions=@eve/source", SERVER];
const ERAS: readonly Era[] = ["legacy", "modern"];

let folder: string;
let registry: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eve-surface-"));
  registry = join(folder, "registry.json");
  // No pins, no dates: what is there of an entry before its surface was ever measured.
  const tools = [...RISK_CLASSES].map(([name, riskClass]) => ({ name, riskClass }));
  writeFileSync(
    registry,
    JSON.stringify({
      integrations: [
        { id: "another", tools: [] },
        { id: INTEGRATION, tools },
      ],
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "" };

describe("surface-server", () => {
  test.each(ERAS)(
    "shows, in the %s era, byte for byte the tools that the program measures of itself",
    async (era) => {
      const observed = await observeStdioServer(
        { command: process.execPath, args: [...NODE, registry], env },
        { integration: INTEGRATION, protocolVersion: ERA_VERSION[era], clientCapabilities: {} },
      );
      const own = await measureSurface({ tools: TOOLS, riskClasses: RISK_CLASSES }, era);
      if (!observed.ok || !own.ok) throw new Error(JSON.stringify([observed, own]));
      expect(canonicalJson([...observed.surface.tools])).toBe(
        canonicalJson([...own.surface.tools]),
      );
      expect([observed.surface.instructions, observed.surface.capabilities]).toEqual([
        own.surface.instructions,
        own.surface.capabilities,
      ]);
    },
  );

  test("ends with a usage line where the registry or the entry is not there", () => {
    const empty = join(folder, "empty.json");
    writeFileSync(empty, `{"integrations":[]}`);
    for (const args of [[], [join(folder, "none.json")], [folder], [empty], [registry, "more"]]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE, ...args], {
        env,
        input: "",
        encoding: "utf8",
      });
      expect([status, stdout]).toEqual([64, ""]);
      expect(stderr).toMatch(/^usage: /);
    }
  });
});
