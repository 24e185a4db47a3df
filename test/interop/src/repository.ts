import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workspace } from "@eve/registry-cli";

/** The repository's root, absolute. */
export const ROOT: string = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The registry under test: `EVE_TEST_REGISTRY_DIR` while a candidate is evaluated, else the committed one. */
export const WORKSPACE: Workspace = {
  root: ROOT,
  registry: process.env["EVE_TEST_REGISTRY_DIR"] ?? join(ROOT, "registry"),
};

/** The entry of the program under test, and the folder of its source. */
export const WORKBENCH = "oshun-workbench";
export const WORKBENCH_PATH = "apps/workbench-mcp";

/** The built command line of the registry's owners. */
export const REGISTRY_CLI: string = join(ROOT, "apps/eve-registry/dist/main.js");
