import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { bearerMac, isBearer, newBearer } from "../../src/credentials/bearer.ts";
import { deriveKeys } from "../../src/credentials/keys.ts";

const GOOD = `eve_local_agent_${"A".repeat(43)}`;

test("has the form eve_<realm>_<class>_ and 32 bytes in base64url, never twice the same", () => {
  const made = Array.from({ length: 200 }, () => newBearer("live", "operator"));
  for (const bearer of made) expect(bearer).toMatch(/^eve_live_operator_[A-Za-z0-9_-]{43}$/);
  expect(made.every(isBearer)).toBe(true);
  expect(new Set(made).size).toBe(200);
});

test.each([
  "",
  GOOD.slice(0, -1),
  `${GOOD}A`,
  ` ${GOOD}`,
  `${GOOD}\n`,
  `Bearer ${GOOD}`,
  GOOD.toUpperCase(),
  GOOD.replace("local", "test"),
  GOOD.replace("agent", "admin"),
  GOOD.replace("A", "+"),
  // A second spelling of the same bytes.
  `${GOOD.slice(0, -1)}B`,
])("is nothing but that form: %j is none", (text) => {
  expect(isBearer(GOOD)).toBe(true);
  expect(isBearer(text)).toBe(false);
});

test("is kept as a MAC that needs the key", () => {
  const [one, other] = [deriveKeys(randomBytes(32)), deriveKeys(randomBytes(32))];
  expect(bearerMac(one, GOOD)).toHaveLength(32);
  expect(bearerMac(one, GOOD)).toEqual(bearerMac(one, GOOD));
  expect(bearerMac(one, GOOD)).not.toEqual(bearerMac(other, GOOD));
});
