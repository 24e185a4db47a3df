import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { parseObject } from "../src/json-values.ts";
import { makeRunIssuer } from "../src/run-issuer.ts";

describe("an issuer of one run", () => {
  test("mints tokens for one audience, of the scopes given, for five minutes", async () => {
    const issuer = await makeRunIssuer();
    const token = await issuer.mint("http://127.0.0.1:1/mcp", ["a:read", "b:read"]);
    const { aud, iss, scope, iat = 0, exp } = decodeJwt(token);
    expect([aud, iss, scope]).toEqual([
      "http://127.0.0.1:1/mcp",
      issuer.identifier,
      "a:read b:read",
    ]);
    expect(exp).toBe(iat + 300);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "ES256", typ: "at+jwt" });
  });

  test("shows its public key alone", async () => {
    const { keySet } = await makeRunIssuer();
    const members = Object.keys(parseObject(Buffer.from(keySet)) ?? {});
    expect(members).toEqual(["keys"]);
    expect(keySet).not.toContain('"d":');
  });

  test("is another one each time, and no host of this name exists", async () => {
    const [one, two] = await Promise.all([makeRunIssuer(), makeRunIssuer()]);
    expect(one.identifier).not.toBe(two.identifier);
    expect(new URL(one.identifier).hostname).toBe("issuer.invalid");
  });
});
