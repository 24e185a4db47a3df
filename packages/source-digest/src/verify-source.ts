import { sha256, type Sha256 } from "@eve/canonical-json";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLockfile } from "./lockfile.ts";
import { MANIFEST_PATH } from "./plugin.ts";
import { parseManifest, sourceDigest, type SourceManifest } from "./source-manifest.ts";

/** The digest of a built source tree, and the files and lock entries that have changed since the build. */
export interface BuiltSource {
  readonly sha256: Sha256;
  /** Paths from the repository's root, and `name@version` of packages. Not empty: the build is older than its source. */
  readonly changed: readonly string[];
}

/** Reads the manifest of an app's last build and holds it against the tree as it is now. Throws if there was no build. */
export function readBuiltSource(root: string, app: string): BuiltSource {
  const manifest = readManifest(join(root, app, MANIFEST_PATH));
  const lockfile = readLockfile(join(root, "pnpm-lock.yaml"));
  const files = manifest.files
    .filter(({ path, sha256: built }) => currentDigest(join(root, path)) !== built)
    .map(({ path }) => path);
  const packages = manifest.packages
    .filter(
      ({ name, version, integrity }) =>
        tryLocked(() => lockfile.locked(name, version).integrity) !== integrity,
    )
    .map(({ name, version }) => `${name}@${version}`);
  return { sha256: sourceDigest(manifest), changed: [...files, ...packages] };
}

function readManifest(file: string): SourceManifest {
  try {
    return parseManifest(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file}: no readable manifest of a build; run npm run build`, { cause });
  }
}

function currentDigest(file: string): Sha256 | undefined {
  return tryLocked(() => sha256(readFileSync(file)));
}

function tryLocked<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
