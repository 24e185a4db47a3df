import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@eve/canonical-json";
import { expect, test } from "vitest";
import { buildInCopy } from "../src/copied-build.ts";
import { ROOT, WORKBENCH_PATH } from "../src/repository.ts";
import { temporaryFolder } from "../src/trial.ts";

test.each([WORKBENCH_PATH, "packages/bellona-peer"])(
  "two copies of the sources, elsewhere, build the very bytes of the built program of %s",
  async (path) => {
    const near = temporaryFolder();
    const far = join(temporaryFolder(), "a folder", "further", "down");
    mkdirSync(far, { recursive: true });
    const builds = await Promise.all([
      buildInCopy(near, path, { TZ: "Pacific/Kiritimati", HOME: near }),
      buildInCopy(far, path, { TZ: "America/Adak", LANG: "tr_TR.UTF-8", HOME: far }),
    ]);
    const built = sha256(readFileSync(join(ROOT, path, "dist/main.js")));
    expect(builds.map((bytes) => sha256(bytes))).toEqual([built, built]);
  },
);
