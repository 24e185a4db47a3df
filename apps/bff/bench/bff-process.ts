import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** The built service as a process of its own. */
export interface BffProcess extends AsyncDisposable {
  readonly port: number;
}

/** What the process needs to know. */
export interface BffPlace {
  readonly url: string;
  readonly keyFile: Uint8Array;
  /** The bytes of the registry that it obeys. */
  readonly registry: Uint8Array;
  readonly environment: string;
}

/** Starts `dist/main.js` in a folder of its own, beside the given registry. */
export async function startBff(place: BffPlace): Promise<BffProcess> {
  if (!existsSync(MAIN)) throw new Error("apps/bff/dist/main.js is missing: run `npm run build`");
  const folder = mkdtempSync(join(tmpdir(), "bff-bench-"));
  copyFileSync(MAIN, join(folder, "main.js"));
  writeFileSync(join(folder, "registry.json"), place.registry);
  writeFileSync(join(folder, "key"), place.keyFile, { mode: 0o600 });
  const child = spawn(process.execPath, ["main.js", "serve"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: place.url,
      EVE_BFF_KEY_FILE: join(folder, "key"),
      EVE_BFF_LISTEN: "127.0.0.1:0",
      EVE_BFF_PUBLIC_ORIGIN: "http://127.0.0.1:4092",
      EVE_BFF_ENVIRONMENT: place.environment,
    },
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const port = /"address":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(String(value))?.[1];
  if (port === undefined) throw new Error("the service did not start");
  return {
    port: Number(port),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
