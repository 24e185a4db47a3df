import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { deriveKeys } from "../../src/credentials/keys.ts";

test("derives two keys of 32 bytes from one secret, the same each time", () => {
  const secret = randomBytes(48);
  const { credentials, approvals } = deriveKeys(secret);
  expect([credentials.length, approvals.length]).toEqual([32, 32]);
  expect(credentials).not.toEqual(approvals);
  expect(deriveKeys(secret)).toEqual({ credentials, approvals });
});

test("takes no secret under 32 bytes", () => {
  expect(() => deriveKeys(new Uint8Array(31))).toThrow(RangeError);
  expect(() => deriveKeys(new Uint8Array(32))).not.toThrow();
});
