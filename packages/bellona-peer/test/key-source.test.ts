import { createServer, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { httpKeyFetcher, parseKeySet, type ServedBellona } from "../src/index.ts";
import { buildWith, KEY_SET, KEYS, mint, NOW, postTo, startBellona } from "./kit.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const utf8 = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** A key server whose answer is decided each time, and how often it was asked. */
async function keyServer(
  answer: (response: ServerResponse, asked: number) => unknown,
): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_, response) => answer(response, (asked += 1)));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/jwks`, asked: () => asked };
}

async function started(change: Parameters<typeof startBellona>[0]): Promise<ServedBellona> {
  const bellona = await startBellona(change);
  open.push(bellona);
  return bellona;
}

const good = (response: ServerResponse): unknown => response.end(JSON.stringify(KEY_SET));

describe("fetched keys", () => {
  it("verify tokens, and are fetched once for many calls at once: POS", async () => {
    const server = await keyServer(good);
    const bellona = await started({ jwks: httpKeyFetcher(server.url) });
    const token = await mint(bellona.url);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await postTo(bellona.url, token)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(server.asked()).toBe(1);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["an error", (res) => res.writeHead(500).end(JSON.stringify(KEY_SET))],
    ["a redirect", (res) => res.writeHead(302, { location: "https://evil.example" }).end()],
    ["no connection", (res) => res.destroy()],
    ["too much", (res) => res.end(`${JSON.stringify(KEY_SET)}${" ".repeat(300_000)}`)],
    ["no JSON", (res) => res.end("<html>")],
    ["a member twice", (res) => res.end(JSON.stringify(KEY_SET).replace("{", '{"keys":[],'))],
    ["no keys", (res) => res.end('{"keys":[]}')],
  ])("TA-26 %s: 503 auth.keys_unavailable, never served", async (_, answer) => {
    const server = await keyServer(answer);
    const bellona = await started({ jwks: httpKeyFetcher(server.url) });
    const response = await postTo(bellona.url, await mint(bellona.url));
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({ code: "auth.keys_unavailable" });
  });

  it("TA-26 keys are not used beyond five minutes in an outage, nor asked for without end", async () => {
    let now = NOW;
    const server = await keyServer((res, asked) => (asked === 1 ? good(res) : res.destroy()));
    const bellona = await started({ jwks: httpKeyFetcher(server.url), now: () => now });
    const status = async (): Promise<number> => {
      const iat = Math.floor(now / 1000);
      const token = await mint(bellona.url, { claims: { iat, exp: iat + 60 } });
      return (await postTo(bellona.url, token)).status;
    };
    expect(await status()).toBe(200);
    now = NOW + 299_999;
    expect(await status()).toBe(200);
    now = NOW + 300_000;
    expect(await status()).toBe(503);
    expect(await status()).toBe(503);
    expect(server.asked()).toBe(2);
    now = NOW + 305_000;
    expect(await status()).toBe(503);
    expect(server.asked()).toBe(3);
  });
});

describe("a key set is refused: config.keys_invalid", async () => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const secret: JWK = { kty: "oct", k: "c2VjcmV0", kid: "s" };
  const { kid: _, ...nameless } = KEYS.ec.publicJwk;
  it.each<[string, JWK[]]>([
    ["none", []],
    ["a private key", [{ ...(await exportJWK(privateKey)), kid: "p" }]],
    ["a shared secret", [secret]],
    ["a key without a kid", [nameless]],
    ["two keys of one kid", [KEYS.ec.publicJwk, KEYS.stranger.publicJwk]],
    ["too many", Array.from({ length: 33 }, (__, i) => ({ ...KEYS.ec.publicJwk, kid: `k${i}` }))],
  ])("%s", async (__, keys) => {
    await expect(buildWith({ jwks: { keys } })).rejects.toMatchObject({
      code: "config.keys_invalid",
    });
    expect(() => parseKeySet(utf8({ keys }))).toThrow(
      expect.objectContaining({ code: "config.keys_invalid" }),
    );
  });

  it.each(["", "[]", "{}", '{"keys":{}}', '{"keys":[1]}', '{"keys":[],"keys":[]}'])(
    "the bytes %j",
    (bytes) => {
      expect(() => parseKeySet(utf8(bytes))).toThrow(
        expect.objectContaining({ code: "config.keys_invalid" }),
      );
    },
  );
});
