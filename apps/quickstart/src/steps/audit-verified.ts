import type { Step } from "../step.ts";
import type { Running } from "./start-services.ts";

/** What the run did is in the audit rows, which the sealer chained and signed; all are computed again. */
export const auditVerified: Step<Running> = {
  id: "audit-verified",
  doing: "Verifying the sealed audit rows",
  run: async ({ backend: { audit } }) => {
    if (audit === undefined)
      return { headline: "Audit rows are not sealed: DATABASE_SEALER_URL names no sealer's role" };
    const rows = await audit.verified();
    return {
      headline: `Verified: ${rows} audit rows, each as it was sealed, under a signed checkpoint`,
    };
  },
};
