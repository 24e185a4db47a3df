import { closeSync, openSync, rmSync, writeSync } from "node:fs";

/**
 * Makes a secret and writes it to a new file that only this user can read (0600). The file is made first: where it is
 * there already, this rejects with EEXIST before there is a secret to lose. Where making fails, no file stays.
 */
export async function writeSecretFile(file: string, make: () => Promise<string>): Promise<void> {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, `${await make()}\n`);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
