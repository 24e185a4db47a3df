import { type UserConfig, defineConfig } from "tsdown";

/** One self-contained file. `pg` looks for its native twin only where a program asks for it; ours does not. */
const config: UserConfig = defineConfig({
  entry: { main: "src/main.ts" },
  outDir: "dist",
  platform: "node",
  format: "esm",
  target: "node22",
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  clean: false,
  deps: { alwaysBundle: [/^(?!pg-native$)/], neverBundle: ["pg-native"], onlyBundle: false },
  // Not "import": what a CommonJS package requires must be its CommonJS form.
  inputOptions: { resolve: { conditionNames: ["@eve/source", "node"] } },
  outputOptions: { codeSplitting: false },
});

export default config;
