import { sourceDigestDefine, sourceDigestPlugin } from "@eve/source-digest";
import { type UserConfig, defineConfig } from "tsdown";

/** One self-contained file: no chunks, no node_modules, the same bytes in any folder. */
const oneFile: UserConfig = {
  platform: "node",
  format: "esm",
  target: "node22",
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ["@eve/source", "node", "import", "default"] } },
  outputOptions: { codeSplitting: false },
  // The three builds below run side by side, two of them into one folder.
  clean: false,
};

export default defineConfig([
  // The program, with the digest of its own source in it.
  {
    ...oneFile,
    entry: { main: "src/main.ts" },
    outDir: "dist",
    define: { ...sourceDigestDefine },
    plugins: [sourceDigestPlugin(import.meta.dirname)],
  },
  // The surface alone, for whoever measures it before it is admitted.
  {
    ...oneFile,
    entry: { "surface-server": "src/surface-server.ts" },
    outDir: "build",
  },
  // What callers of the first registry import; the registry itself stays a package of its own.
  {
    ...oneFile,
    entry: { trust: "src/trust.ts" },
    outDir: "dist",
    deps: { neverBundle: ["@eve/registry"] },
  },
]);
