// Support for the tests of a consent store: no program needs it at run time.
export {
  type ConsentStoreCase,
  consentStoreContract,
  type Facility,
} from "./testing/consent-store-contract.ts";
export { ContractViolation } from "./testing/contract-violation.ts";
export { MemoryConsentStore, type MemoryStoreOptions } from "./testing/memory-consent-store.ts";
export { memoryHarness } from "./testing/memory-harness.ts";
export { type MemoryItem, MemoryItems } from "./testing/memory-items.ts";
export type { StoreHarness } from "./testing/store-harness.ts";
