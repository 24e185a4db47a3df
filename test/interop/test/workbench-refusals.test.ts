import { CATALOGUE } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { textAt } from "../src/json.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { refusalSheet } from "../src/refusal-sheet.ts";
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

const SHEET = refusalSheet(NOW, legacy);

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
