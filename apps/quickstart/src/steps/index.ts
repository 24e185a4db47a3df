import type { RunContext } from "../run-context.ts";
import type { Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";
import { auditVerified } from "./audit-verified.ts";
import { bellonaSteps } from "./bellona/index.ts";
import { changedDescription } from "./changed-description.ts";
import { changedPin } from "./changed-pin.ts";
import { expired } from "./expired.ts";
import { publishSteps } from "./publish/index.ts";
import { quarantined } from "./quarantined.ts";
import type { Running } from "./start-services.ts";
import { thirdPartyStep } from "./third-party.ts";
import { unknownServer } from "./unknown-server.ts";

export { admitWorkbench } from "./admit-workbench.ts";
export { makeItem } from "./publish/index.ts";
export { type Running, servicesStep } from "./start-services.ts";

/** The steps after the workbench is admitted, in order: each changes one thing. */
export function gateSteps(context: RunContext): readonly Step<Admitted>[] {
  return [
    changedDescription,
    changedPin,
    quarantined,
    expired,
    unknownServer,
    thirdPartyStep(context),
  ];
}

/** The steps once everything runs: what publishes needs an operator, the peer needs a token made for it, and all that was done is in the audit. */
export function serviceSteps(): readonly Step<Running>[] {
  return [...publishSteps(), ...bellonaSteps, auditVerified];
}
