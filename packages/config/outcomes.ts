import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

/** In a package's folder: what became of each test in its last whole run. */
export const OUTCOMES_FILE = ".outcomes.json";

/** A test's full title, and what became of it: `passed`, `failed`, `skipped` or `pending`. */
export interface Outcome {
  readonly title: string;
  readonly state: string;
}

/** Writes {@link OUTCOMES_FILE} after a run of all tests of a package; a run of some of them leaves it as it was. */
export class OutcomesReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || vitest.config.testNamePattern) return;
    const all = await vitest.globTestSpecifications();
    if (all.length !== modules.length) return;
    const file = join(vitest.config.root, OUTCOMES_FILE);
    rmSync(file, { force: true });
    const outcomes = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test): Outcome => ({ title: test.fullName, state: test.result().state }));
    writeFileSync(file, `${JSON.stringify(outcomes)}\n`);
  }
}
