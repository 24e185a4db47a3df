import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inheritedEnvironment } from "@eve/mcp-guard";
import { UsageError } from "./usage-error.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** What a run of the suites counted. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs the vitest suites of the folders named, against the registry in a folder, and adds up their counts. A suite
 * that reports no test, or that cannot be run, counts as one failure.
 */
export async function runEvaluation(
  root: string,
  folders: readonly string[],
  registry: string,
  caller: NodeJS.ProcessEnv,
  progress: (line: string) => void,
): Promise<TestCounts> {
  if (folders.length === 0)
    throw new UsageError(
      'The app names no evaluation: "eve": {"evaluation": [FOLDER…]} in its package.json.',
    );
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of folders) {
    progress(`evaluating: ${folder}`);
    const counts = await runSuite(
      join(root, folder),
      join(root, "node_modules", "vitest", "vitest.mjs"),
      { ...inheritedEnvironment(caller), EVE_TEST_REGISTRY_DIR: registry },
    );
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    progress(`  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
  return total;
}

async function runSuite(
  folder: string,
  vitest: string,
  env: Readonly<Record<string, string>>,
): Promise<TestCounts> {
  return withTemporaryFolder(async (temporary) => {
    const report = join(temporary, "report.json");
    const code = await exitOf(
      process.execPath,
      [vitest, "run", "--reporter=json", `--outputFile=${report}`],
      folder,
      env,
    );
    if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
    const counts: Readonly<Record<string, number>> = JSON.parse(readFileSync(report, "utf8"));
    const {
      numPassedTests = 0,
      numFailedTests = 0,
      numPendingTests = 0,
      numTodoTests = 0,
    } = counts;
    const isSilentFailure = code !== 0 && numFailedTests === 0;
    return {
      passed: numPassedTests,
      failed: isSilentFailure || numPassedTests === 0 ? numFailedTests + 1 : numFailedTests,
      skipped: numPendingTests + numTodoTests,
    };
  });
}

function exitOf(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "ignore", "ignore"],
      shell: false,
    });
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code));
  });
}
