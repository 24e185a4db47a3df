import { sourceDigestDefine, sourceDigestPlugin } from "@eve/source-digest";
import { type UserConfig, defineConfig } from "tsdown";

/** The program as one self-contained file beside the library: no chunks, no node_modules, the same bytes in any folder. */
const config: UserConfig = defineConfig({
  entry: { main: "src/bin.ts" },
  outDir: "dist",
  platform: "node",
  format: "esm",
  target: "node22",
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  // The library's own files lie in the same folder.
  clean: false,
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ["@eve/source", "node", "import", "default"] } },
  outputOptions: { codeSplitting: false },
  define: { ...sourceDigestDefine },
  plugins: [sourceDigestPlugin(import.meta.dirname)],
});

export default config;
