import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WORKBENCH_VERSION } from "../src/identity.ts";
import { fromJson } from "./from-json.ts";

test("the compiled-in version is package.json's", () => {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = fromJson<{ version: string }>(text);
  expect(WORKBENCH_VERSION).toBe(version);
});
