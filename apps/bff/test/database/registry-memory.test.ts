import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf } from "./codes.ts";
import { createStore, type Store } from "./store.ts";

const [ONE, OTHER] = ["1".repeat(64), "2".repeat(64)];

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const remember = async (environment: string, sequence: number, digest: string): Promise<string> =>
  codeOf(await store.bff.rememberRegistry(environment, sequence, digest));

test("takes the same registry again and any higher one, and nothing else: registry.rollback", async () => {
  expect(await remember("production", 7, ONE)).toBe("ok");
  expect(await remember("production", 7, ONE)).toBe("ok");
  expect(await remember("production", 7, OTHER)).toBe("registry.rollback");
  expect(await remember("production", 6, ONE)).toBe("registry.rollback");
  expect(await remember("production", 8, OTHER)).toBe("ok");
  expect(await remember("production", 7, ONE)).toBe("registry.rollback");
});

test("remembers each environment by itself", async () => {
  expect(await remember("run-1", 3, ONE)).toBe("ok");
  expect(await remember("run-2", 1, OTHER)).toBe("ok");
});

test("keeps the highest of many that come at once", async () => {
  const all = Array.from({ length: 20 }, (_, at) => remember("busy", at + 1, ONE));
  const codes = await Promise.all(all);
  expect(codes).toContain("ok");
  expect(await remember("busy", 19, ONE)).toBe("registry.rollback");
  expect(await remember("busy", 20, ONE)).toBe("ok");
});
