import type { ConsentStore } from "../consent-store.ts";
import type { ItemState } from "../item-state.ts";

/** A store under test and the hands that reach behind it. */
export interface StoreHarness {
  readonly store: ConsentStore;
  /** Makes a submitted item in the tenant; answers its id. */
  readonly newItem: (tenant: string) => Promise<string>;
  readonly itemOf: (
    tenant: string,
    itemId: string,
  ) => Promise<{ readonly state: ItemState; readonly version: number }>;
  /** Raises the item's version and leaves its state, as a note or an edit would. */
  readonly touchItem: (tenant: string, itemId: string) => Promise<void>;
  /** How many undecided requests one actor may have. */
  readonly pendingQuota: number;
  /** Lets the consent's present deadline pass. A store without it leaves the cases that need `lapse` out, in sight. */
  readonly lapse?: (consentId: string) => Promise<void>;
  /** Changes one byte of the stored binding, digest or approval, past every guard of the store. */
  readonly tamper?: (consentId: string, what: "binding" | "digest" | "approval") => Promise<void>;
  readonly close: () => Promise<void>;
}
