import shared from "@eve/config/vitest";
import { mergeConfig } from "vitest/config";

// Each test waits for a process of its own: a few at once keep two cores busy, more would only make them wait.
export default mergeConfig(shared, {
  test: {
    taskTitleValueFormatTruncate: 0,
    globalSetup: ["src/run-folder.ts"],
    maxConcurrency: 4,
    testTimeout: 60_000,
  },
});
