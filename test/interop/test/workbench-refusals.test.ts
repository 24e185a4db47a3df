import { CATALOGUE } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { textAt } from "../src/json.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { dateRows } from "../src/rows/dates.ts";
import { ENTRY_ROWS } from "../src/rows/entry.ts";
import { LAUNCH_ROWS } from "../src/rows/launch.ts";
import { PIN_ROWS } from "../src/rows/pins.ts";
import { programRows } from "../src/rows/program.ts";
import { REGISTRY_FILE_ROWS } from "../src/rows/registry-file.ts";
import type { RefusalRow } from "../src/rows/row.ts";
import { OPENINGS, runToEnd } from "../src/run.ts";
import { goodWorkbench, type Launch, workbenchTrial } from "../src/trial.ts";
import { UNREACHABLE_AT_START } from "../src/unreachable-codes.ts";
import { wireSurface } from "../src/wire-surface.ts";

const NOW = Date.now();
const good = goodWorkbench(NOW);
const legacy = await wireSurface(workbenchTrial(good).launch, "2025-11-25");
const served = [
  ...legacy.tools.map((tool) => textAt(tool, "description")),
  textAt({ instructions: legacy.instructions ?? null }, "instructions"),
];

/** Every way to be refused at start, in the order of the gate's rungs. */
const SHEET: readonly RefusalRow[] = [
  ...REGISTRY_FILE_ROWS,
  ...ENTRY_ROWS,
  ...dateRows(NOW),
  ...PIN_ROWS,
  ...programRows(legacy),
  ...LAUNCH_ROWS,
];

/** What a launch holds that nobody else may learn; short values are placeholders. */
function secretsOf({ env }: Launch): readonly string[] {
  const token = env["OSHUN_WORKBENCH_TOKEN"]?.trim() ?? "";
  return token.length > 20 && new Set(token).size > 12 ? [token] : [];
}

describe.concurrent("the built workbench refuses at start with exit 78 (ADR-0092-306)", () => {
  test.each(SHEET)("$what: $code", async (row) => {
    const trial = workbenchTrial(good, row);
    const launch = row.launch?.(trial) ?? trial.launch;
    const opening = OPENINGS[row.era ?? "legacy"];
    const ended = await runToEnd(launch, { input: opening.line });
    const unsaid = [...(row.secrets ?? []), ...secretsOf(launch), ...served];
    expect(toldBy(ended, row.code, unsaid)).toEqual(refusedWith(row.code, opening.id));
  });
});

describe("the sheet", () => {
  test("has a row for every code of the catalogue, or a reason why there is none", () => {
    const rows = new Set<string>(SHEET.map(({ code }) => code));
    const reasons = Object.keys(UNREACHABLE_AT_START);
    expect([...rows, ...reasons].toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
  });

  test("has no two rows of one title", () => {
    const titles = SHEET.map(({ what, code }) => `${what}: ${code}`);
    expect(titles.filter((title, i) => titles.indexOf(title) < i)).toEqual([]);
  });
});
