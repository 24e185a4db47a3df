import type { JsonObject } from "@eve/canonical-json";
import { type Registry, type RegistryResult, parseRegistry } from "@eve/registry-schema";
import { goodDocument, goodEntry, renewed } from "@eve/test-kit";
import { INTEGRATION } from "../src/identity.ts";

/** Where the entry of the tests is reached. */
export const ORIGIN = "http://127.0.0.1:4092";

/** DESIGN's table of tools. */
const CLASSES = [
  ["workbench_list_items", "read"],
  ["workbench_get_item", "read"],
  ["workbench_claim_item", "write"],
  ["workbench_add_note", "write"],
  ["workbench_submit_change", "write"],
  ["workbench_ship_item", "publish"],
  ["workbench_verify_item", "publish"],
] as const;

/** What a test changes of a good registry. */
export interface RegistryChange {
  /** Epoch ms at which it is good; one hour after its observations. */
  readonly now: number;
  readonly sequence?: number;
  readonly entry?: (good: JsonObject) => JsonObject;
}

/** A registry with a good local workbench entry, as the service's own file would be parsed. */
export function testRegistry(change: RegistryChange): Registry {
  const result = parseRegistry(registryBytes(change));
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.registry;
}

/** The bytes of {@link testRegistry}. */
export function registryBytes({
  now,
  sequence = 1,
  entry = (good) => good,
}: RegistryChange): Uint8Array {
  return goodDocument({ entries: [entry(localEntry(now))], sequence }).bytes;
}

/** A registry that is refused as a whole. */
export function refusedRegistry(): RegistryResult {
  return parseRegistry(new TextEncoder().encode("{"));
}

function localEntry(now: number): JsonObject {
  return renewed({
    ...goodEntry({ now, id: INTEGRATION }),
    deployment: "local-development",
    permissions: CLASSES.map(([, riskClass]) => `workbench:${riskClass}`).filter(
      (permission, at, all) => all.indexOf(permission) === at,
    ),
    tools: CLASSES.map(([name, riskClass], at) => ({
      name,
      riskClass,
      permissions: [`workbench:${riskClass}`],
      pins: {
        inputSchema: digestLike(at, "a"),
        description: digestLike(at, "b"),
        definition: { "2025-11-25": digestLike(at, "c"), "2026-07-28": digestLike(at, "c") },
      },
    })),
    transport: {
      type: "stdio",
      command: "node",
      args: ["main.js"],
      env: ["OSHUN_WORKBENCH_URL", "OSHUN_WORKBENCH_TOKEN"],
    },
    credentials: [
      {
        id: "workbench-bearer",
        env: "OSHUN_WORKBENCH_TOKEN",
        scopes: ["workbench:read", "workbench:write", "workbench:publish"],
        destinations: [ORIGIN],
      },
    ],
    configuration: [{ env: "OSHUN_WORKBENCH_URL", required: true }],
    destinations: [{ origin: ORIGIN, dataClasses: ["work-item", "actor-id"] }],
  });
}

function digestLike(at: number, letter: string): string {
  return `${at}${letter.repeat(63)}`;
}
