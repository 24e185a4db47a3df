import config from "@eve/config/vitest";
import { mergeConfig } from "vitest/config";

/** A run of its own, as another package has one. */
export default mergeConfig(config, {
  test: {
    root: import.meta.dirname,
    globalSetup: ["./postgres-setup.ts"],
    include: ["*.check.ts"],
  },
});
