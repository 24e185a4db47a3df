import { expect, test } from "vitest";
import { INTEGRATION } from "../src/identity.ts";
import { EXTERNAL_INTEGRATION_REGISTRY, MCP_SERVER_INVENTORY } from "../src/trust.ts";

test("the old names are one frozen registry", () => {
  expect(MCP_SERVER_INVENTORY).toBe(EXTERNAL_INTEGRATION_REGISTRY);
  expect(Object.isFrozen(EXTERNAL_INTEGRATION_REGISTRY)).toBe(true);
  expect(JSON.stringify(EXTERNAL_INTEGRATION_REGISTRY)).toContain(INTEGRATION);
});
