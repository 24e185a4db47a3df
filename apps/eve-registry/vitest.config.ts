import shared from "@eve/config/vitest";
import { mergeConfig, type ViteUserConfig } from "vitest/config";

// A review runs several programs one after the other: slow where many suites share two cores.
const config: ViteUserConfig = mergeConfig(shared, {
  test: { globalSetup: ["test/run-folder.ts"], testTimeout: 60_000 },
});

export default config;
