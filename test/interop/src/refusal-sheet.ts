import type { Surface } from "@eve/trust-admission";
import { dateRows } from "./rows/dates.ts";
import { ENTRY_ROWS } from "./rows/entry.ts";
import { LAUNCH_ROWS } from "./rows/launch.ts";
import { PIN_ROWS } from "./rows/pins.ts";
import { programRows } from "./rows/program.ts";
import { REGISTRY_FILE_ROWS } from "./rows/registry-file.ts";
import type { RefusalRow } from "./rows/row.ts";

/** Every way to be refused at start, in the order of the gate's rungs; `now` in epoch ms, and what the good program serves. */
export function refusalSheet(now: number, legacy: Surface): readonly RefusalRow[] {
  return [
    ...REGISTRY_FILE_ROWS,
    ...ENTRY_ROWS,
    ...dateRows(now),
    ...PIN_ROWS,
    ...programRows(legacy),
    ...LAUNCH_ROWS,
  ];
}
