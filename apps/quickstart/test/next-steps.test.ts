import { describe, expect, it } from "vitest";
import { nextSteps } from "../src/next-steps.ts";

describe("nextSteps", () => {
  it("tells how to connect the built program to its own destination, and carries no secret", () => {
    const text = nextSteps(
      "/home/me/eve/apps/workbench-mcp/dist/main.js",
      "https://workbench.eve.example",
    ).join("\n");
    expect(text).toContain("-- node /home/me/eve/apps/workbench-mcp/dist/main.js");
    expect(text).toContain("OSHUN_WORKBENCH_URL=https://workbench.eve.example");
    expect(text).not.toMatch(/eve_(?:live|local)_/);
  });
});
