import { describe, expect, test } from "vitest";
import { CATALOGUE } from "@eve/registry-schema";
import { run, runJson } from "../run.ts";

describe("explain", () => {
  test.each(Object.entries(CATALOGUE))(
    "tells %s, what to do and how programs map it",
    async (code, row) => {
      const { code: exit, out } = await run("/", ["explain", code]);
      expect(exit).toBe(0);
      expect(out).toContain(
        `${code}\n  ${row.title}.\n  → ${row.remedy}\n  Follows: ${row.clause}\n`,
      );
      expect(out).toContain(`Exit ${row.exit}, HTTP ${row.http}, JSON-RPC ${row.jsonRpc}`);
    },
  );

  test("answers the row as JSON", async () => {
    const { json } = await runJson("/", ["explain", "health.expired"]);
    const row = CATALOGUE["health.expired"];
    expect(json).toEqual({ ok: true, refusals: [], code: "health.expired", ...row });
  });

  test.each([
    ["health.expird", "Did you mean: health.unhealthy"],
    ["expired", "health.expired, evaluation.expired"],
    ["nothing", "docs/refusal-codes.md lists all"],
    ["constructor", "docs/refusal-codes.md lists all"],
  ])("of %s, which is no code, suggests: exit 2", async (code, hint) => {
    const { code: exit, out, err } = await run("/", ["explain", code]);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(`No refusal code "${code}".`);
    expect(err).toContain(hint);
  });
});
