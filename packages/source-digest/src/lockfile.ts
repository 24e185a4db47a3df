import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { LockedPackage } from "./source-manifest.ts";

/** As much of a lockfile as is looked up. */
const shape = z.looseObject({
  lockfileVersion: z.literal("9.0"),
  packages: z.record(
    z.string(),
    z.looseObject({ resolution: z.looseObject({ integrity: z.string().optional() }) }),
  ),
});

/** Looks packages up in pnpm-lock.yaml. */
export interface Lockfile {
  /** The resolved entry of `name@version`; throws where the lockfile has none, because then nothing pins what is bundled. */
  readonly locked: (name: string, version: string) => LockedPackage;
}

/** Reads a pnpm lockfile (version 9). Throws on a file of another shape. */
export function readLockfile(file: string): Lockfile {
  const document = shape.safeParse(parse(readFileSync(file, "utf8")));
  if (!document.success) throw new Error(`${file}: expected a pnpm lockfile of version 9.0`);
  const { packages } = document.data;
  return {
    locked: (name, version) => {
      const integrity = packages[`${name}@${version}`]?.resolution.integrity;
      if (integrity === undefined)
        throw new Error(`${file}: no integrity for ${name}@${version}; run pnpm install`);
      return { name, version, integrity };
    },
  };
}
