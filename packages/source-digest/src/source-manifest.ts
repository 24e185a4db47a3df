import { framedDigest, isSha256, type Sha256 } from "@eve/canonical-json";
import { z } from "zod";

/** One source file of a bundle: its path from the repository's root, with forward slashes, and the plain SHA-256 of its bytes. */
export interface SourceFile {
  readonly path: string;
  readonly sha256: Sha256;
}

/** One package that is bundled in, or that builds the bundle, as the lockfile resolved it. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** All that a bundle is made of. Files are sorted by path, packages by name and version, both by UTF-8 bytes. */
export interface SourceManifest {
  readonly files: readonly SourceFile[];
  readonly packages: readonly LockedPackage[];
}

const digest = z.string().refine(isSha256, "64 lower-case hexadecimal digits");
const shape = z.strictObject({
  files: z.array(z.strictObject({ path: z.string(), sha256: digest })),
  packages: z.array(
    z.strictObject({ name: z.string(), version: z.string(), integrity: z.string() }),
  ),
});

/** Parses a manifest that a build wrote; throws on anything else. */
export function parseManifest(text: string): SourceManifest {
  return shape.parse(JSON.parse(text));
}

/** Digest of a source tree: domain `eve/source/1` over the RFC 8785 form of its manifest. */
export function sourceDigest(manifest: SourceManifest): Sha256 {
  return framedDigest("eve/source/1", {
    files: manifest.files.map((file) => ({ ...file })),
    packages: manifest.packages.map((locked) => ({ ...locked })),
  });
}

/** Orders a manifest, so that one source tree has one digest. */
export function orderManifest({ files, packages }: SourceManifest): SourceManifest {
  return {
    files: files.toSorted((a, b) => compareBytes(a.path, b.path)),
    packages: packages.toSorted((a, b) =>
      compareBytes(`${a.name}@${a.version}`, `${b.name}@${b.version}`),
    ),
  };
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
