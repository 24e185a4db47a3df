import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearerMac, newBearer } from "../../src/credentials/bearer.ts";
import { codeOf, sqlStateOf } from "../database/codes.ts";
import { createStore, type Store, value } from "../database/store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test("what is minted is who it was minted for, and nobody with another bearer", async () => {
  const { bff, bearer } = store;
  const minted = await bearer("operator", {
    realm: "live",
    principal: "olga@eve.example",
    actor: "olga",
    tenant: "globex",
    scopes: ["consent:decide"],
  });
  expect(minted).toMatch(/^eve_live_operator_/);
  expect(value(await bff.authenticate(minted))).toEqual({
    credentialId: expect.any(String),
    class: "operator",
    realm: "live",
    principal: "olga@eve.example",
    actor: "olga",
    tenant: "globex",
    scopes: ["consent:decide"],
  });
  for (const other of [
    newBearer("live", "operator"),
    minted.replace("live", "local"),
    minted.replace("operator", "agent"),
    `${minted} `,
  ])
    expect(await bff.authenticate(other)).toEqual({ ok: false, code: "auth.token_invalid" });
});

test("no bearer, whole or in part, is anywhere in the database", async () => {
  const minted = await store.bearer("agent");
  const everything = JSON.stringify(await store.dump());
  expect(everything).not.toContain(minted.slice(-43));
  expect(everything).not.toContain(Buffer.from(minted.slice(-43), "base64url").toString("hex"));
  expect(everything).toContain(bearerMac(store.keys, minted).toString("hex"));
});

test("is told in the audit", async () => {
  const { credentialId } = await store.caller("agent");
  const rows = (await store.dump())["audit"]?.filter((row) => row.includes("credential.minted"));
  expect(rows?.filter((row) => row.includes(credentialId))).toHaveLength(1);
});

test("one that has expired, or was revoked, is nobody's: auth.token_invalid", async () => {
  const soon = await store.bearer("agent", { expiresAt: new Date(Date.now() + 1500) });
  const codeFor = async (token: string): Promise<string> =>
    codeOf(await store.bff.authenticate(token));
  expect(await codeFor(soon)).toBe("ok");
  await expect.poll(() => codeFor(soon), { timeout: 5000 }).toBe("auth.token_invalid");
  const revoked = await store.bearer("agent");
  const { credentialId } = value(await store.bff.authenticate(revoked));
  await store.owner.query("update bff.credentials set revoked_at = bff.clock() where id = $1", [
    credentialId,
  ]);
  expect(await codeFor(revoked)).toBe("auth.token_invalid");
  const again = store.owner.query("update bff.credentials set revoked_at = null where id = $1", [
    credentialId,
  ]);
  expect(await sqlStateOf(again)).toBe("23001");
});

describe("the database refuses", () => {
  test("one bearer for two classes, or twice for one (ADR-0092-232)", async () => {
    const agent = await store.bearer("agent");
    for (const credentialClass of ["operator", "shared", "agent"]) {
      const same = store.owner.query(
        "select bff.mint_credential(gen_random_uuid(), $1, $2, 'local', 'p', 'a', 'acme', '{}', now() + interval '1 day', repeat('0', 64))",
        [bearerMac(store.keys, agent), credentialClass],
      );
      expect(await sqlStateOf(same)).toBe("23505");
    }
  });

  test.each([
    ["no end", { expiresAt: new Date("") }],
    ["an end that has passed", { expiresAt: new Date(Date.now() - 1000) }],
    ["a tenant that is empty", { tenant: "" }],
    ["a principal that JSON would escape", { principal: 'a"b' }],
  ])("a credential with %s", async (_, change) => {
    await expect(store.bearer("agent", change)).rejects.toThrow(/./);
  });

  test("a shared bearer that may do more than read", async () => {
    await expect(store.bearer("shared", { scopes: ["workbench:publish"] })).rejects.toThrow(
      /shared/,
    );
  });
});
