import { REQUEST_LIFE_MS } from "../consent-state.ts";
import { MemoryConsentStore } from "./memory-consent-store.ts";
import { otherLast } from "./other-last.ts";
import type { StoreHarness } from "./store-harness.ts";

const START_MS = 1_790_000_000_000;

/** The model under the contract: what a real store's harness looks like, and the proof that the suite can pass. */
export function memoryHarness(): Promise<StoreHarness> {
  let now = START_MS;
  let made = 0;
  const pendingQuota = 5;
  const store = new MemoryConsentStore({
    clock: () => now,
    key: new Uint8Array(32).fill(7),
    pendingQuota,
  });
  return Promise.resolve({
    store,
    newItem: async (tenant) => {
      made += 1;
      store.items.put(tenant, `item-${made}`, "submitted");
      return `item-${made}`;
    },
    itemOf: async (tenant, itemId) => {
      const { state, version } = required(store.items.of(tenant, itemId));
      return { state, version };
    },
    touchItem: async (tenant, itemId) => {
      store.items.put(tenant, itemId, required(store.items.of(tenant, itemId)).state);
    },
    pendingQuota,
    lapse: async () => {
      now += REQUEST_LIFE_MS;
    },
    tamper: async (consentId, what) => {
      const consent = required(store.stored(consentId));
      const { approval, binding, digest } = consent;
      if (what === "binding") store.tamper(consentId, { binding: flipLast(binding) });
      if (what === "digest") store.tamper(consentId, { digest: otherLast(digest) });
      if (what === "approval" && approval) {
        store.tamper(consentId, { approval: { ...approval, mac: otherLast(approval.mac) } });
      }
    },
    close: async () => undefined,
  });
}

function flipLast(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 1 : byte));
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("no such row");
  return value;
}
