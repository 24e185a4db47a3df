import { castOf } from "./cast.ts";
import type { CaseRow, Facility } from "./case-row.ts";
import { DECISION_CASES } from "./decision-cases.ts";
import { EXECUTION_CASES } from "./execution-cases.ts";
import { REQUEST_CASES } from "./request-cases.ts";
import type { StoreHarness } from "./store-harness.ts";

export type { Facility } from "./case-row.ts";

/** One promise of ConsentStore, ready to run under any test runner: it resolves, or rejects with ContractViolation. */
export interface ConsentStoreCase {
  readonly title: string;
  /** What the harness must be able to do; `undefined`: nothing beyond its duties. */
  readonly needs: Facility | undefined;
  readonly run: () => Promise<void>;
}

const ROWS: readonly CaseRow[] = [...REQUEST_CASES, ...DECISION_CASES, ...EXECUTION_CASES];

/**
 * What every ConsentStore must do. Each case makes and closes a harness of its own and uses tenants of its own, so one
 * database may serve all. With vitest: `it.each(consentStoreContract(make))("$title", ({ run }) => run())`.
 */
export function consentStoreContract(
  makeStore: () => Promise<StoreHarness>,
): readonly ConsentStoreCase[] {
  return ROWS.map(({ title, needs, run }, number) => ({
    title,
    needs,
    run: async () => {
      const harness = await makeStore();
      try {
        if (needs && !harness[needs]) throw new TypeError(`the harness cannot ${needs}`);
        await run(castOf(harness, number));
      } finally {
        await harness.close();
      }
    },
  }));
}
