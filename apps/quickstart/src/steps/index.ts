import type { Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";
import { changedDescription } from "./changed-description.ts";
import { changedPin } from "./changed-pin.ts";
import { expired } from "./expired.ts";
import { quarantined } from "./quarantined.ts";
import { thirdParty } from "./third-party.ts";
import { unknownServer } from "./unknown-server.ts";

export { admitWorkbench } from "./admit-workbench.ts";

/** The steps after the workbench is admitted, in order: each changes one thing. */
export const FURTHER_STEPS: readonly Step<Admitted>[] = [
  changedDescription,
  changedPin,
  quarantined,
  expired,
  unknownServer,
  thirdParty,
];
