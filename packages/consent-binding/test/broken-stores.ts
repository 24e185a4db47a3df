import type { ConsentStore } from "@eve/consent-binding";

type Break = (store: ConsentStore) => ConsentStore;

/** The store with some of its methods replaced. */
function bound(store: ConsentStore, changes: Partial<ConsentStore>): ConsentStore {
  return {
    request: store.request.bind(store),
    find: store.find.bind(store),
    decide: store.decide.bind(store),
    execute: store.execute.bind(store),
    ...changes,
  };
}

/** Stores that do one thing wrong, and how many cases of the contract must notice at least. */
export const BROKEN_STORES: readonly (readonly [string, Break, number])[] = [
  [
    "a store that shows a consent to everybody",
    (store) =>
      bound(store, {
        find: (caller, id) => store.find({ ...caller, class: "operator" }, id),
      }),
    1,
  ],
  [
    "a store that takes every credential for an operator's",
    (store) =>
      bound(store, {
        decide: (caller, id, decision) =>
          store.decide({ ...caller, class: "operator", principal: "olga" }, id, decision),
      }),
    3,
  ],
  [
    "a store that does not look at the digest",
    (store) =>
      bound(store, {
        decide: async (caller, id, decision) => {
          const found = await store.find(caller, id);
          const digest = found.ok ? found.value.digest : decision.digest;
          return store.decide(caller, id, { ...decision, digest });
        },
      }),
    1,
  ],
  [
    "a store that forgets the outcome",
    (store) =>
      bound(store, {
        execute: async (...asked) => {
          const executed = await store.execute(...asked);
          return executed.ok ? executed : { ok: false, code: executed.code };
        },
      }),
    1,
  ],
  [
    "a store that names the consent to strangers",
    (store) =>
      bound(store, {
        execute: async (caller, id, call) => {
          const executed = await store.execute(caller, id, call);
          const known = id.startsWith("0000");
          return executed.ok || !known ? executed : { ...executed, consentId: id };
        },
      }),
    3,
  ],
  [
    "a store that executes what the operator approved last",
    (store) =>
      bound(store, {
        execute: async (caller, id, call) => {
          const found = await store.find(caller, id);
          if (!found.ok) return store.execute(caller, id, call);
          const { binding } = found.value;
          return store.execute(caller, id, { ...call, arguments: binding.arguments });
        },
      }),
    4,
  ],
];
