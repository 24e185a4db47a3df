import config from "@eve/config/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(config, { test: { globalSetup: ["./test/postgres-setup.ts"] } });
