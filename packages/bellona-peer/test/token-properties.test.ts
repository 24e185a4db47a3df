import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TokenTerms, verifyAccessToken } from "../src/index.ts";
import { localKeys } from "../src/key-source.ts";
import { claimsFor, ISSUER, KEY_SET, mint, NOW } from "./kit.ts";

const audience = "http://127.0.0.1:4093/mcp";
const terms: TokenTerms = {
  audience,
  issuer: ISSUER,
  algorithms: ["ES256", "RS256"],
  keys: localKeys(KEY_SET),
  now: () => NOW,
};
const refused = { ok: false, code: "auth.token_invalid" };

describe("any single change of a good token is refused", () => {
  it("of one character of its text", async () => {
    const good = await mint(audience);
    expect(await verifyAccessToken(good, terms)).toMatchObject({ ok: true });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom("A", "Z", "a", "z", "0", "9", "-", "_", ".", "=", "+", "/", " ", "\u00e9"),
        async (at, character) => {
          fc.pre(good[at] !== character);
          const changed = `${good.slice(0, at)}${character}${good.slice(at + 1)}`;
          expect(await verifyAccessToken(changed, terms)).toEqual(refused);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(["iss", "aud", "sub", "client_id", "iat", "exp", "jti"])(
    "of the claim %s to any value of another type",
    async (claim) => {
      const kind = typeof claimsFor(audience)[claim];
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          fc.pre(typeof value !== kind && JSON.stringify(value) !== JSON.stringify([audience]));
          const token = await mint(audience, { claims: { [claim]: value } });
          expect(await verifyAccessToken(token, terms)).toEqual(refused);
        }),
        { numRuns: 50 },
      );
    },
  );

  it("of the audience or the issuer to any other text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("aud", "iss"),
        fc.oneof(fc.string(), fc.webUrl(), fc.constant(`${audience} `), fc.constant("\u0000")),
        async (claim, text) => {
          fc.pre(text !== audience && text !== ISSUER);
          const token = await mint(audience, { claims: { [claim]: text } });
          expect(await verifyAccessToken(token, terms)).toEqual(refused);
        },
      ),
    );
  });

  it("never throws, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        expect(await verifyAccessToken(text, terms)).toEqual(refused);
      }),
    );
  });
});
