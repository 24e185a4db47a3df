import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { freePort, ISSUER, KEY_SET, mint, postTo } from "./kit.ts";

const BIN = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bellona-"));
const keys = join(folder, "jwks.json");
writeFileSync(keys, JSON.stringify(KEY_SET));
afterAll(() => rmSync(folder, { recursive: true }));

function start(env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--conditions", "@eve/source", BIN], {
    // On the clock that this test runs on, which may be faked.
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

describe("the program", () => {
  it("serves what its environment names, on the machine's clock, until it is told to stop", async () => {
    const url = `http://127.0.0.1:${await freePort()}/mcp`;
    const child = start({
      BELLONA_RESOURCE: url,
      BELLONA_ISSUER: ISSUER,
      BELLONA_JWKS_FILE: keys,
    });
    const ended = once(child, "exit");
    const [said] = await once(child.stderr ?? child, "data");
    expect(String(said)).toBe(`bellona serves ${url}\n`);
    const iat = Math.floor(Date.now() / 1000);
    const token = await mint(url, { claims: { iat, exp: iat + 60 } });
    const response = await postTo(url, token);
    expect(response.status).toBe(200);
    await response.body?.cancel();
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    ["nothing", {}, /are needed/],
    [
      "a resource that is none",
      { BELLONA_RESOURCE: "http://x/mcp", BELLONA_ISSUER: ISSUER, BELLONA_JWKS_FILE: keys },
      /config\.resource_invalid/,
    ],
    [
      "a file that is no key set",
      {
        BELLONA_RESOURCE: "http://127.0.0.1:1/mcp",
        BELLONA_ISSUER: ISSUER,
        BELLONA_JWKS_FILE: BIN,
      },
      /config\.keys_invalid/,
    ],
  ])("given %s exits 78 and says why", async (_, env, why) => {
    const child = start(env);
    const ended = once(child, "exit");
    const [said] = await once(child.stderr ?? child, "data");
    expect(String(said)).toMatch(why);
    expect(await ended).toEqual([78, null]);
  });
});
