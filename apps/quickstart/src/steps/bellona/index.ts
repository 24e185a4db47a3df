import type { Step } from "../../step.ts";
import type { Running } from "../start-services.ts";
import { admitBellona } from "./admit-bellona.ts";
import { wrongAudience } from "./wrong-audience.ts";

/** The protected peer: admitted and called with a token made for it, and closed to every other. */
export const bellonaSteps: readonly Step<Running>[] = [admitBellona, wrongAudience];
