import { realpath } from "node:fs/promises";
import { framedDigest, type Sha256 } from "@eve/canonical-json";
import { compareUtf8 } from "./byte-order.ts";
import { MeasuringError } from "./measuring-error.ts";
import { recordedIntegrity } from "./lock-record.ts";
import { packageDigest } from "./package-files.ts";
import { type PackageManifest, readManifest } from "./package-manifest.ts";
import { resolvePackage } from "./resolve-package.ts";

/** One package of a closure: `name@version` and the digest of its own files. */
export interface ClosurePackage {
  readonly package: string;
  readonly sha256: Sha256;
}

/** A third party's package as it is installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** What the package manager recorded (`sha512-…`); undefined where it recorded nothing. */
  readonly integrity: string | undefined;
  /** The digest of the closure: `framedDigest("eve/closure/1", packages)`. */
  readonly sha256: Sha256;
  /** Every package of the closure once, sorted by the UTF-8 bytes of name@version; copies that differ are all kept. */
  readonly packages: readonly ClosurePackage[];
}

/**
 * Measures the package in the folder `root` with everything it loads, as Node resolves it from real paths:
 * dependencies, and optional and peer dependencies that are installed. npm's flat and pnpm's linked layouts of the
 * same files have the same digest. What a package loads without declaring it is not seen. Rejects with
 * {@link MeasuringError}: `package.dependency_missing` and the other `package.` codes.
 */
export async function observeInstalledPackage(root: string): Promise<InstalledPackage> {
  const folder = await realpath(root).catch((error: unknown) => {
    throw new MeasuringError("package.unreadable", `cannot find ${root}`, error);
  });
  const installed = await walkClosure(folder);
  const { name, version } = installed.get(folder) ?? (await readManifest(folder));
  const packages = await measure(installed);
  return {
    name,
    version,
    integrity: await recordedIntegrity(folder, `${name}@${version}`),
    sha256: framedDigest(
      "eve/closure/1",
      packages.map((one) => ({ ...one })),
    ),
    packages,
  };
}

/** Each real folder once, so that cycles end. */
async function walkClosure(root: string): Promise<ReadonlyMap<string, PackageManifest>> {
  const seen = new Map<string, PackageManifest>();
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (seen.has(folder)) continue;
    // What comes next is found here.
    const manifest = await readManifest(folder);
    seen.set(folder, manifest);
    queue.push(...(await dependenciesOf(manifest, folder)));
  }
  return seen;
}

async function dependenciesOf(
  { name, required, ifInstalled }: PackageManifest,
  folder: string,
): Promise<readonly string[]> {
  const needed = await Promise.all(
    required.map(async (dependency) => {
      const found = await resolvePackage(dependency, folder);
      if (found === undefined)
        throw new MeasuringError(
          "package.dependency_missing",
          `${name} needs ${dependency}, which is not installed`,
        );
      return found;
    }),
  );
  const present = await Promise.all(
    ifInstalled.map((dependency) => resolvePackage(dependency, folder)),
  );
  return [...needed, ...present.filter((found) => found !== undefined)];
}

async function measure(
  installed: ReadonlyMap<string, PackageManifest>,
): Promise<readonly ClosurePackage[]> {
  const unique = new Map<string, ClosurePackage>();
  for (const [folder, { name, version }] of installed) {
    // One package's files at a time.
    const one = { package: `${name}@${version}`, sha256: await packageDigest(folder) };
    unique.set(`${one.package} ${one.sha256}`, one);
  }
  return [...unique].toSorted(([a], [b]) => compareUtf8(a, b)).map(([, one]) => one);
}
