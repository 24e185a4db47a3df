import base from "@eve/config/vitest";
import { mergeConfig, type ViteUserConfig } from "vitest/config";

/** One migrated PostgreSQL a run; each file that needs one copies it. */
const config: ViteUserConfig = mergeConfig(base, {
  // The set-up runs outside the tests; our packages are taken from source there too.
  environments: {
    __vitest__: {
      resolve: { conditions: ["@eve/source", "module", "node"], noExternal: [/^@eve\//] },
    },
  },
  test: { globalSetup: ["test/database/global-setup.ts"] },
});

export default config;
