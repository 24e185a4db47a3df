import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";
import { readLockfile } from "./lockfile.ts";
import { readSource } from "./read-source.ts";
import { sourceDigest } from "./source-manifest.ts";

/** 64 characters that stand for the digest until the module graph is known; no digest has a `g`. */
const PLACEHOLDER = "g".repeat(64);

/** What the bundler must define, so that `__EVE_SOURCE_SHA256__` in the source becomes the digest of that source. */
export const sourceDigestDefine: Readonly<Record<string, string>> = {
  __EVE_SOURCE_SHA256__: JSON.stringify(PLACEHOLDER),
};

/** Where a build writes its manifest, from the app's folder. */
export const MANIFEST_PATH = "build/source-manifest.json";

/**
 * Bundler plugin: embeds the digest of the bundle's source tree in the bundle and writes the manifest it was computed
 * from. The graph is every module the bundler loaded; what builds it (this package, the bundler) is part of it.
 * `app` is the app's folder.
 */
export function sourceDigestPlugin(app: string): Plugin {
  const root = repositoryRoot();
  let digest = "";
  return {
    name: "eve-source-digest",
    renderStart() {
      const modules = [...this.getModuleIds()].filter(
        (id) =>
          !id.startsWith("\0") && !id.startsWith("node:") && this.getModuleInfo(id)?.code !== null,
      );
      const manifest = readSource({
        root,
        lockfile: readLockfile(join(root, "pnpm-lock.yaml")),
        modules,
        configuration: buildConfiguration(root, app),
        tools: buildTools(app),
      });
      digest = sourceDigest(manifest);
      mkdirSync(join(app, dirname(MANIFEST_PATH)), { recursive: true });
      writeFileSync(join(app, MANIFEST_PATH), `${JSON.stringify(manifest, null, 2)}\n`);
    },
    renderChunk(code) {
      return { code: code.replaceAll(PLACEHOLDER, digest), map: null };
    },
  };
}

function repositoryRoot(): string {
  return resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
}

function buildConfiguration(root: string, app: string): readonly string[] {
  const own = ["package.json", "tsconfig.json", "tsdown.config.ts"].map((file) => join(app, file));
  const shared = [
    "packages/config/package.json",
    "packages/config/tsconfig.json",
    "packages/source-digest/package.json",
  ].map((file) => join(root, file));
  return [...own, ...shared, ...globSync(join(root, "packages/source-digest/src/*.ts"))];
}

/** tsdown as the app resolves it, and rolldown as tsdown does. */
function buildTools(app: string): readonly string[] {
  const tsdown = createRequire(join(app, "package.json")).resolve("tsdown/package.json");
  const rolldown = createRequire(tsdown).resolve("rolldown/package.json");
  return [dirname(tsdown), dirname(rolldown)];
}
