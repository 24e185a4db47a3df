import { DAY_MS, NOW } from "@eve/test-kit";
import { afterEach, describe, expect, test } from "vitest";
import { codesOf, run, runJson } from "../run.ts";
import { removeFolders, reviewedWorkspace } from "../scratch.ts";

afterEach(removeFolders);

describe("status", () => {
  test("tells the days that each part has left, and that third parties wait", async () => {
    const { code, out } = await run(await reviewedWorkspace(), ["status"], { now: () => NOW });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ notes: \S+, active; days left: health 30, evaluation 18\d, review 18\d/);
    expect(out).toContain("third parties: refused until gates 4.8 release, 12.7 red-team");
  });

  test.each([
    [-1, 0, []],
    [0, 0, ["health.expired"]],
    [1, -1, ["health.expired"]],
  ] as const)("at the health's expiry %i ms: %i days left, %j", async (offset, days, codes) => {
    const root = await reviewedWorkspace();
    const at = { now: () => NOW + 30 * DAY_MS + offset };
    const ran = await runJson(root, ["status"], at);
    expect(codesOf(ran)).toEqual(codes);
    expect(ran.code).toBe(codes.length === 0 ? 0 : 78);
    expect(JSON.stringify(ran.json)).toContain(`"daysLeft":{"health":${days},`);
  });
});
