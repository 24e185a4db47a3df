import type { Guard } from "./guard.ts";
import { CONSENTS } from "./tables/consents.ts";
import { REGISTRY_BYTES } from "./tables/registry-bytes.ts";
import { REGISTRY_DATES } from "./tables/registry-dates.ts";
import { REGISTRY_ENTRIES, REGISTRY_PROGRAMS } from "./tables/registry-entries.ts";
import { SURFACES, WIRES } from "./tables/surfaces.ts";

/** Every guard that hostile inputs meet. */
export const GUARDS: readonly Guard[] = [
  ...REGISTRY_BYTES,
  ...REGISTRY_ENTRIES,
  ...REGISTRY_DATES,
  ...REGISTRY_PROGRAMS,
  ...SURFACES,
  ...WIRES,
  ...CONSENTS,
];
