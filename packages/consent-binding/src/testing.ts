// Support for the tests of a consent store: no program needs it at run time.
export {
  type ConsentStoreCase,
  consentStoreContract,
  type Facility,
} from "./testing/consent-store-contract.ts";
export { ACTORS, ITEM_IDS, OPERATORS } from "./testing/consent-model.ts";
export { ContractViolation } from "./testing/contract-violation.ts";
export { MemoryConsentStore, type MemoryStoreOptions } from "./testing/memory-consent-store.ts";
export { memoryHarness } from "./testing/memory-harness.ts";
export { type MemoryItem, MemoryItems } from "./testing/memory-items.ts";
export { type ModelRunOptions, type ModelWorld, runModel } from "./testing/model-run.ts";
export { type ModelStep, type StepNumbers, stepOf } from "./testing/model-steps.ts";
export type { StoreHarness } from "./testing/store-harness.ts";
