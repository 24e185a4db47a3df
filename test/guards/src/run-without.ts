import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { startVitest, type TestCase } from "vitest/node";
import { switchOff } from "./edit-source.ts";
import type { Edit } from "./guard.ts";

/** The repository's root. */
export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));

/** What became of the tests of one run. */
export interface Run {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Of the tests that failed, what the first error of each says. */
  readonly reasons: readonly string[];
  /** Faults outside any test: a file that did not load, an error that nobody caught. Such a run shows nothing. */
  readonly broken: readonly string[];
}

/** The package that a test file belongs to, from the root. */
function packageOf(test: string): string {
  return dirname(test).replace(/\/test(\/.*)?$/, "");
}

/**
 * Runs test files whole, with edits made to the source as it is loaded; no file is touched. Nothing of it is
 * kept: a cache of edited modules would be read by the next run.
 */
export async function runWithout(tests: readonly string[], edits: readonly Edit[]): Promise<Run> {
  const [root = "", ...more] = [...new Set(tests.map(packageOf))];
  if (more.length > 0)
    throw new TypeError(`tests of several packages: ${root}, ${more.join(", ")}`);
  const made = new Set<string>();
  const vitest = await startVitest(
    tests.map((test) => relative(root, test)),
    {
      root: join(ROOT, root),
      run: true,
      watch: false,
      reporters: [{}],
      passWithNoTests: false,
      fsModuleCache: false, // what it keeps is the edited source
    },
    { plugins: [editing(edits, made)] },
    { stdout: process.stderr },
  );
  try {
    const modules = vitest.state.getTestModules();
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    return {
      passed: cases.filter(isOver("passed")).map(({ fullName }) => fullName),
      failed: cases.filter(isOver("failed")).map(({ fullName }) => fullName),
      reasons: cases.flatMap((test) => test.result().errors?.[0]?.message ?? []),
      broken: [
        ...modules.flatMap((module) => module.errors().map(({ message }) => message)),
        ...vitest.state.getUnhandledErrors().map(String),
        ...edits.flatMap(({ file }) => (made.has(file) ? [] : [`${file}: no test loads it`])),
      ],
    };
  } finally {
    await vitest.close();
  }
}

function isOver(state: "passed" | "failed"): (test: TestCase) => boolean {
  return (test) => test.result().state === state;
}

/** A plugin that gives the runner the edited text of a file in place of its own. */
function editing(edits: readonly Edit[], made: Set<string>): Plugin {
  return {
    name: "eve-guard-off",
    enforce: "pre",
    transform: (text, id) => {
      const file = relative(ROOT, id.split("?")[0] ?? "");
      const own = edits.filter((edit) => edit.file === file);
      if (own.length === 0) return undefined;
      made.add(file);
      return { code: own.reduce(switchOff, text), map: null };
    },
  };
}
