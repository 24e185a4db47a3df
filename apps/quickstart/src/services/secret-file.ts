import { readFileSync, writeFileSync } from "node:fs";

/** Writes a secret into a new file that its owner alone may read. Throws where there is one already. */
export function writeSecret(path: string, secret: string | Uint8Array): string {
  writeFileSync(path, secret, { flag: "wx", mode: 0o600 });
  return path;
}

/** The secret of a file, or one from `make` written there: two that make one at once read the same. */
export function keepSecret(path: string, make: () => Uint8Array): Uint8Array {
  try {
    writeSecret(path, make());
  } catch (error) {
    if (!isThere(error)) throw error;
  }
  return readFileSync(path);
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
