import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { OutcomesReporter } from "./outcomes.ts";
import { propertyFactor } from "./property-runs.ts";

// Tests run from src: the "@eve/source" condition exists in the workspace only, publishConfig drops it.
const conditions = ["@eve/source", "module", "node", "development|production"];

/** Unit tests: from source, one process a worker, no isolation between files (they share no state). */
const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@eve/source", "node"] } },
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000 * propertyFactor(),
    hookTimeout: 60_000,
    isolate: false,
    passWithNoTests: false,
    // Two at least: most of the long suites wait for programs and databases. Beyond, one core is left to those.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", new OutcomesReporter()],
  },
});

export default config;
