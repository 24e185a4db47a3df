import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: { main: "src/main.ts" },
  platform: "node",
  format: "esm",
  target: "node22",
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ["@eve/source", "node", "import", "default"] } },
  outputOptions: { codeSplitting: false },
});

export default config;
