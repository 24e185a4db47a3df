import type { Cast } from "./cast.ts";

/** What a case needs that not every store's harness can do. */
export type Facility = "lapse" | "tamper";

/** One promise of a consent store. */
export interface CaseRow {
  readonly title: string;
  readonly needs?: Facility;
  readonly run: (cast: Cast) => Promise<void>;
}
