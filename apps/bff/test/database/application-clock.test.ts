import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { approvedAgain, askedAgain, type Requested, requested } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, type Store } from "./store.ts";

const HOUR_MS = 3_600_000;

let store: Store;
let first: Requested;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
});
afterAll(() => store[Symbol.asyncDispose]());
afterEach(async () => {
  vi.useRealTimers();
  await store.setClock({ offset: 0 });
});

function sleepwalk(offset: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offset });
}

async function executed({ agent, view, call }: Requested): Promise<string> {
  return codeOf(await store.bff.executeConsent(agent, view.id, call));
}

async function approved({ operator, view: { id, digest } }: Requested): Promise<string> {
  const decision = { decision: "approve", digest, reason: "reviewed" } as const;
  return codeOf(await store.bff.decideConsent(operator, id, decision));
}

describe.each([-HOUR_MS, HOUR_MS])("a service whose own clock is %d ms off", (offset) => {
  test("executes what PostgreSQL's clock allows (CS-05)", async () => {
    const asked = await approvedAgain(store, first);
    sleepwalk(offset);
    expect(await executed(asked)).toBe("ok");
  });

  test("makes and approves requests that live as long as any (CS-05)", async () => {
    sleepwalk(offset);
    const asked = await approvedAgain(store, first);
    vi.useRealTimers();
    const left = Date.parse(asked.view.expiresAt) - (await store.bff.now());
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    expect(await executed(asked)).toBe("ok");
  });

  test("neither executes nor approves what has ended by PostgreSQL's: consent.expired (CS-05, D29)", async () => {
    const [approval, request] = [await approvedAgain(store, first), await askedAgain(store, first)];
    await store.setClock({ offset: 600_001 });
    sleepwalk(offset);
    expect(await executed(approval)).toBe("consent.expired");
    expect(await approved(request)).toBe("consent.expired");
  });
});
