import { connect, createServer } from "node:net";
import {
  CompactSign,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import { type BellonaOptions, buildBellona, type ServedBellona, serve } from "../src/index.ts";

/** A fixed moment, so that no test depends on the date: epoch milliseconds. */
export const NOW = Date.UTC(2026, 11, 1, 12, 0, 0);
/** The same in epoch seconds. */
export const NOW_SECONDS: number = NOW / 1000;
export const ISSUER = "https://issuer.eve.example";

/** A signing key and its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Makes a key pair with a kid. */
async function signingKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, use: "sig" } };
}

const [ec, rsa, stranger] = await Promise.all([
  signingKey("ec-1"),
  signingKey("rsa-1", "RS256"),
  signingKey("ec-1"),
]);
/** The issuer's keys, and one of someone else with the same kid. */
export const KEYS: Readonly<Record<"ec" | "rsa" | "stranger", SigningKey>> = { ec, rsa, stranger };
export const KEY_SET: JSONWebKeySet = { keys: [ec.publicJwk, rsa.publicJwk] };

/** Claims of a good token for `audience`. */
export function claimsFor(audience: string): Record<string, unknown> {
  return {
    iss: ISSUER,
    aud: audience,
    sub: "agent-1",
    client_id: "client-1",
    scope: "bellona:read",
    iat: NOW_SECONDS,
    exp: NOW_SECONDS + 300,
    jti: "token-1",
  };
}

/** How a token departs from a good one; an `undefined` member is left out. */
export interface TokenChange {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly payload?: string;
  readonly key?: {
    readonly kid: string;
    readonly alg: string;
    readonly privateKey: CryptoKey | Uint8Array;
  };
}

/** Signs a token for `audience`: good but for the change. */
export async function mint(audience: string, change: TokenChange = {}): Promise<string> {
  const key = change.key ?? ec;
  const payload = change.payload ?? JSON.stringify({ ...claimsFor(audience), ...change.claims });
  const header = { alg: key.alg, typ: "at+jwt", kid: key.kid, ...change.header };
  const present = Object.fromEntries(Object.entries(header).filter(([, v]) => v !== undefined));
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: key.alg, ...present })
    .sign(key.privateKey, { crit: { x: true } });
}

/** A token with any header, claims and signature, signed by nobody. */
export function unsigned(header: object, payload: object, signature = "AA"): string {
  return `${part(header)}.${part(payload)}.${signature}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject).listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Bellona at a free port, with a fixed clock and the kit's keys but for what is changed. */
export async function startBellona(change: Partial<BellonaOptions> = {}): Promise<ServedBellona> {
  const resource = `http://127.0.0.1:${await freePort()}/mcp`;
  return serve({ resource, issuer: ISSUER, jwks: KEY_SET, now: () => NOW, ...change });
}

/** Builds without listening, only to see what options are refused. */
export async function buildWith(change: Partial<BellonaOptions>): Promise<void> {
  const resource = "http://127.0.0.1:4093/mcp";
  const options = { resource, issuer: ISSUER, jwks: KEY_SET, now: () => NOW, ...change };
  const app = await buildBellona(options);
  await app.close();
}

/** A tools/list of the legacy era. */
export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** Posts a body with a token. */
export function postTo(
  url: string,
  token: string | undefined,
  body: string | Uint8Array<ArrayBuffer> = LIST,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  });
}

/** Sends bytes as they are, and answers all that comes until the server closes or half a second is over. */
export function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    const timer = setTimeout(() => socket.destroy(), 500);
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.write(request, "latin1");
  });
}

/** The status of a raw answer; 0 where there is none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

/** A raw POST of {@link LIST} with these header lines beside its own. */
export function rawPost(url: string, lines: readonly string[], body: string = LIST): string {
  const { pathname } = new URL(url);
  const own = ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`];
  return [`POST ${pathname} HTTP/1.1`, ...own, "connection: close", ...lines, "", body].join(
    "\r\n",
  );
}
