import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `use` with a new folder that only this user may enter and that is gone afterwards, or when the process exits. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "eve-registry-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await use(folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
