// pnpm check: everything about the tree that is not a test. Each step names itself and its verdict; all steps run, then one exit code.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readCitations } from "../test/e2e/src/citations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Step {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** What the output must say: a tool that looked at nothing has proved nothing. */
  readonly proof?: RegExp;
}

const steps: readonly Step[] = [
  { title: "format", command: ["oxfmt", "--check"] },
  {
    title: "lint",
    command: ["oxlint", "--type-aware", "--deny-warnings"],
    proof: /on [1-9]\d{2,} files/,
  },
  { title: "types", command: ["turbo", "run", "typecheck", "--output-logs=errors-only"] },
  { title: "types of scripts", command: ["tsc", "-p", "tsconfig.json", "--noEmit"] },
  {
    title: "boundaries",
    command: ["turbo", "boundaries"],
    proof: /Checked [1-9]\d{2,} files in [1-9]\d+ packages/,
  },
  { title: "dead code", command: ["knip"] },
  {
    title: "generated pages",
    command: ["node", "--conditions=@eve/source", "scripts/generate.ts", "--check"],
  },
  {
    title: "packages as published",
    command: ["turbo", "run", "publint", "--output-logs=errors-only"],
  },
];

function passes({ title, command: [program, ...args], proof }: Step): boolean {
  const child = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const output = `${child.stdout ?? ""}${child.stderr ?? ""}`;
  const isPassed = child.status === 0 && (proof === undefined || proof.test(output));
  console.log(`${isPassed ? "✓" : "✗"} ${title}`);
  if (!isPassed) console.log(`  ${[program, ...args].join(" ")}\n${output}`);
  return isPassed;
}

function citationsHold(): boolean {
  const { files, cited, unknown, uncited } = readCitations(root);
  const isPassed = files > 0 && cited.size > 0 && unknown.length === 0;
  console.log(`${isPassed ? "✓" : "✗"} requirements: ${cited.size} cited in ${files} test files`);
  for (const line of unknown) console.log(`  unknown: ${line}`);
  for (const line of uncited) console.log(`  not yet cited: ${line}`);
  return isPassed;
}

const failed = [
  ...steps.filter((step) => !passes(step)).map(({ title }) => title),
  ...(citationsHold() ? [] : ["requirements"]),
];
console.log(
  failed.length === 0 ? `${steps.length + 1} checks passed` : `failed: ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
