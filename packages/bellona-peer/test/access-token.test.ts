import { createHmac, createPublicKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServedBellona } from "../src/index.ts";
import {
  claimsFor,
  ISSUER,
  KEYS,
  KEY_SET,
  mint,
  NOW_SECONDS,
  postTo,
  startBellona,
  type TokenChange,
  unsigned,
} from "./kit.ts";

let bellona: ServedBellona;
beforeAll(async () => {
  bellona = await startBellona();
});
afterAll(() => bellona.close());

async function statusWith(token: string): Promise<number> {
  const response = await postTo(bellona.url, token);
  await response.body?.cancel();
  return response.status;
}

const { ec, rsa, stranger } = KEYS;
const at = (offset: number): number => NOW_SECONDS + offset;

describe("a good token is served: POS", () => {
  it.each<[string, TokenChange]>([
    ["an ES256 token", {}],
    ["an RS256 token", { key: rsa }],
    [
      "an audience array of exactly this one (TA-07: the same claim, RFC 7519 4.1.3)",
      { claims: { aud: ["SELF"] } },
    ],
    ["more scopes than needed", { claims: { scope: "openid bellona:read other:thing" } }],
    ["a lifetime of exactly ten minutes", { claims: { exp: at(600) } }],
    ["a second before its expiry", { claims: { iat: at(-299), exp: at(1) } }],
    ["nbf of now", { claims: { nbf: at(0) } }],
    [
      "application/at+jwt, the same type (RFC 9068, 2.1)",
      { header: { typ: "application/at+jwt" } },
    ],
  ])("%s", async (_, change) => {
    const aud = Array.isArray(change.claims?.["aud"]) ? { aud: [bellona.url] } : {};
    const token = await mint(bellona.url, { ...change, claims: { ...change.claims, ...aud } });
    expect(await statusWith(token)).toBe(200);
  });
});

const audience = (change: (url: string) => unknown) => () =>
  mint(bellona.url, { claims: { aud: change(bellona.url) } });
const changed = (change: TokenChange) => () => mint(bellona.url, change);
const tampered = (part: number) => async (): Promise<string> => {
  const parts = (await mint(bellona.url)).split(".");
  const text = parts[part] ?? "";
  parts[part] = `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;
  return parts.join(".");
};

describe("a bad token is 401 on the wire, and no handler runs (ADR-0092-405)", () => {
  const claims = (change: Readonly<Record<string, unknown>>) => changed({ claims: change });
  const header = (change: Readonly<Record<string, unknown>>) => changed({ header: change });
  const macWith =
    (secret: string | Buffer, alg = "HS256") =>
    (): string => {
      const signed = unsigned({ alg, typ: "at+jwt", kid: rsa.kid }, claimsFor(bellona.url)).replace(
        /\.AA$/,
        "",
      );
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    };
  const rsaPem = createPublicKey({ key: { ...rsa.publicJwk }, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  it.each<[string, () => string | Promise<string>]>([
    ["TA-01 another audience", audience(() => "https://other.example/mcp")],
    ["TA-02 the audience's origin alone", audience((url) => new URL(url).origin)],
    ["TA-02 a parent path", audience((url) => url.replace("/mcp", "/"))],
    ["a longer path", audience((url) => `${url}/x`)],
    ["TA-04 a trailing slash", audience((url) => `${url}/`)],
    ["TA-05 another case", audience((url) => url.replace("http", "HTTP"))],
    [
      "TA-05 another spelling of the host",
      audience((url) => url.replace("127.0.0.1", "localhost")),
    ],
    ["a fragment", audience((url) => `${url}#x`)],
    ["TA-08 an audience array of two", audience((url) => [url, "https://other.example"])],
    ["TA-08 this audience twice", audience((url) => [url, url])],
    ["an empty audience array", audience(() => [])],
    ["no audience", audience(() => undefined)],
    ["an audience that is an object", audience((url) => ({ [url]: url }))],
    ["TA-10 the issuer with a slash", claims({ iss: `${ISSUER}/` })],
    ["TA-10 another tenant of the issuer", claims({ iss: `${ISSUER}/other` })],
    ["no issuer", claims({ iss: undefined })],
    ["TA-11 no expiry", claims({ exp: undefined })],
    ["expired this second", claims({ iat: at(-300), exp: at(0) })],
    ["expired a second ago", claims({ iat: at(-300), exp: at(-1) })],
    ["an expiry that is text", claims({ exp: String(at(300)) })],
    ["TA-13 an expiry of 1e300", claims({ exp: 1e300 })],
    ["TA-13 a lifetime of ten minutes and a second", claims({ exp: at(601) })],
    ["an expiry that is no whole second", claims({ exp: at(1.5) })],
    ["TA-14 not valid yet", claims({ nbf: at(1) })],
    ["TA-14 issued in the future", claims({ iat: at(1) })],
    ["no time of issue", claims({ iat: undefined })],
    [
      "alg none",
      () => unsigned({ alg: "none", typ: "at+jwt", kid: ec.kid }, claimsFor(bellona.url)),
    ],
    [
      "alg none without a signature",
      () => unsigned({ alg: "none", typ: "at+jwt", kid: ec.kid }, claimsFor(bellona.url), ""),
    ],
    [
      "alg NoNe",
      () => unsigned({ alg: "NoNe", typ: "at+jwt", kid: ec.kid }, claimsFor(bellona.url)),
    ],
    ["TA-16 HS256 by the public RSA key as PEM", macWith(Buffer.from(rsaPem))],
    ["TA-16 HS256 by the public RSA key as JWK", macWith(JSON.stringify(rsa.publicJwk))],
    ["TA-16 HS256 by the public EC key as JWK", macWith(JSON.stringify(ec.publicJwk))],
    [
      "TA-16 RS256 named over an EC signature",
      async () => {
        const [, payload, signature] = (await mint(bellona.url)).split(".");
        const named = unsigned({ alg: "RS256", typ: "at+jwt", kid: ec.kid }, {}).split(".")[0];
        return `${named}.${payload}.${signature}`;
      },
    ],
    [
      "TA-17 the key in the token (jwk)",
      changed({ key: stranger, header: { jwk: stranger.publicJwk } }),
    ],
    [
      "TA-17 the key by address (jku)",
      changed({ key: stranger, header: { jku: "https://evil.example/jwks" } }),
    ],
    ["TA-17 x5u", header({ x5u: "https://evil.example/x" })],
    ["TA-17 x5c", header({ x5c: ["AAAA"] })],
    ["another key under a known kid", changed({ key: stranger })],
    ["an unknown kid", header({ kid: "../../dev/null" })],
    ["no kid", header({ kid: undefined })],
    ["a kid that is no text", header({ kid: 1 })],
    ["TA-19 no typ", header({ typ: undefined })],
    ["TA-19 an ID token (typ JWT)", header({ typ: "JWT" })],
    ["TA-19 a typ of another profile", header({ typ: "dpop+jwt" })],
    ["TA-20 crit", header({ crit: ["x"], x: 1 })],
    ["a tampered signature", tampered(2)],
    ["tampered claims", tampered(1)],
    ["a tampered header", tampered(0)],
    [
      "TA-22 a claim twice",
      () =>
        mint(bellona.url, {
          payload: JSON.stringify(claimsFor(bellona.url)).replace(
            "{",
            '{"aud":"https://evil.example",',
          ),
        }),
    ],
    ["TA-22 claims that are no object", () => mint(bellona.url, { payload: "[]" })],
    ["TA-25 claims that are no JSON", () => mint(bellona.url, { payload: "{" })],
    ["no subject", claims({ sub: undefined })],
    ["an empty subject", claims({ sub: "" })],
    ["no client", claims({ client_id: undefined })],
    ["no token id", claims({ jti: undefined })],
    ["a scope that is a list", claims({ scope: ["bellona:read"] })],
    ["a token bound to a key (cnf)", claims({ cnf: { jkt: "x" } })],
    ["one part", () => "abc"],
    ["five parts (a JWE)", () => "a.b.c.d.e"],
    ["padding", async () => `${await mint(bellona.url)}=`],
  ])("%s", async (_, make) => {
    const response = await postTo(bellona.url, await make());
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate");
    const metadata = bellona.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    expect(challenge).toBe(
      `Bearer error="invalid_token", scope="bellona:read", resource_metadata="${metadata}"`,
    );
    expect(await response.json()).toMatchObject({ code: "auth.token_invalid" });
  });

  it("TA-16 PS256 by an RSA key, where only RS256 and ES256 are allowed", async () => {
    const { privateKey } = await import("jose").then((jose) => jose.generateKeyPair("PS256"));
    expect(
      await statusWith(
        await mint(bellona.url, { key: { kid: rsa.kid, alg: "PS256", privateKey } }),
      ),
    ).toBe(401);
  });

  it("an algorithm that is allowed elsewhere", async () => {
    const strict = await startBellona({ algorithms: ["ES256"], jwks: KEY_SET });
    const response = await postTo(strict.url, await mint(strict.url, { key: rsa }));
    expect(response.status).toBe(401);
    await response.body?.cancel();
    await strict.close();
  });
});

describe("a valid token without the scope is 403 insufficient_scope (TA-23, MUST-RS-07)", () => {
  it.each([undefined, "", "bellona", "bellona:read2", "BELLONA:READ", "bellona:read\tx", "openid"])(
    "%j",
    async (scope) => {
      const response = await postTo(bellona.url, await mint(bellona.url, { claims: { scope } }));
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toMatch(
        /^Bearer error="insufficient_scope", scope="bellona:read", resource_metadata="http:\/\/127\.0\.0\.1:\d+\/\.well-known\/oauth-protected-resource\/mcp"$/,
      );
      expect(await response.json()).toMatchObject({ code: "auth.scope_insufficient" });
    },
  );
});
