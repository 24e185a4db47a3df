import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@eve/canonical-json";
import { observeStdioServer } from "@eve/mcp-guard";
import {
  evaluationOf,
  formatJson,
  healthOf,
  reviewOf,
  type Run,
  writeFiles,
} from "@eve/registry-cli";
import { ROOT, WORKBENCH, WORKBENCH_PATH } from "./repository.ts";
import { type Good, temporaryFolder, workbenchTrial } from "./trial.ts";

/** A repository in a folder of its own: this one's sources and build, and a registry whose evidence supports it. */
export interface OwnRepository {
  readonly root: string;
  /** Folder of the registry. */
  readonly registry: string;
  /** The entry's file. */
  readonly entry: string;
  /** Folder of the built workbench, a copy. */
  readonly dist: string;
}

const PROTOCOL_VERSIONS = ["2025-11-25", "2026-07-28"] as const;

/** A surface and the lines it was read from. */
export type MeasuredSurface = Parameters<typeof reviewOf>[3][number];

/** What the good workbench serves, in every protocol version of its entry. */
export function measureSurfaces(good: Good): Promise<readonly MeasuredSurface[]> {
  return Promise.all(PROTOCOL_VERSIONS.map((version) => measure(good, version)));
}

/**
 * Makes a repository whose registry is as an owner leaves it: the good entry, with evidence of a run of this machine
 * at `now` (epoch ms). It says so, and it is no review.
 */
export function ownRepository(
  good: Good,
  surfaces: readonly MeasuredSurface[],
  now: number,
): OwnRepository {
  const root = temporaryFolder();
  const registry = join(root, "registry");
  const run: Run = {
    integration: WORKBENCH,
    now: Math.floor(now / 1000) * 1000,
    command: ["vitest", "run"],
    tools: { node: process.versions.node },
    reason: "Made by a test on this machine; no review",
  };
  const by = { basis: "reviewed", reviewer: "eve-security" } as const;
  const review = reviewOf(run, good.entry, by, surfaces);
  const base: JsonObject = { ...good.entry, review: review.member };
  const health = healthOf(run, base, [{ title: "it was observed", passed: true }]);
  const evaluation = evaluationOf(run, base, { passed: 1, failed: 0, skipped: 0 });
  const entry: JsonObject = { ...base, health: health.member, evaluation: evaluation.member };
  const { integrations: _, ...manifest } = good.document;
  const file = `integrations/${WORKBENCH}.json`;
  const files = [
    ...[review, health, evaluation].flatMap((evidenced) => evidenced.files),
    { path: file, bytes: formatJson(entry) },
    { path: "registry.json", bytes: formatJson(manifest) },
  ];
  writeFiles(files.map(({ path, bytes }) => ({ path: join(registry, path), bytes })));
  const dist = copyBuild(root);
  return { root, registry, entry: join(registry, file), dist };
}

async function measure(good: Good, protocolVersion: string): Promise<MeasuredSurface> {
  const { launch } = workbenchTrial(good);
  const request = { integration: WORKBENCH, protocolVersion, clientCapabilities: {} };
  const observed = await observeStdioServer(launch, request);
  if (!observed.ok) throw new Error(JSON.stringify(observed.refusals));
  return observed;
}

/** Links what is only read and copies what a test may change: the workbench's source and its built program. */
function copyBuild(root: string): string {
  const app = join(root, WORKBENCH_PATH);
  const dist = join(app, "dist");
  mkdirSync(dist, { recursive: true });
  for (const name of ["packages", "node_modules", "pnpm-lock.yaml"])
    symlinkSync(join(ROOT, name), join(root, name));
  for (const name of ["package.json", "tsconfig.json", "tsdown.config.ts", "build"])
    symlinkSync(join(ROOT, WORKBENCH_PATH, name), join(app, name));
  cpSync(join(ROOT, WORKBENCH_PATH, "src"), join(app, "src"), { recursive: true });
  cpSync(join(ROOT, WORKBENCH_PATH, "dist/main.js"), join(dist, "main.js"));
  return dist;
}
