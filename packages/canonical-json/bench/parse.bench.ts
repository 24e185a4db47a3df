/**
 * Prints how long strict parsing takes beside JSON.parse and SHA-256 of the same bytes, over recorded tool listings.
 * Run with `pnpm bench`. It asserts no time.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseJson, sha256 } from "../src/index.ts";
import { sharedFolder } from "@eve/config/shared-folder";

const ROUNDS = 600;

const folder = sharedFolder("fixtures", "surfaces");
const lines = readdirSync(folder)
  .filter((file) => file.endsWith(".jsonl"))
  .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
  .filter((line) => line !== "")
  .map((line) => new TextEncoder().encode(line));
if (lines.length === 0) throw new Error(`no recorded lines in ${folder}`);

/** Milliseconds of one pass over all lines. */
function time(pass: (line: Uint8Array) => unknown): number {
  const start = performance.now();
  for (const line of lines) pass(line);
  return performance.now() - start;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const decoder = new TextDecoder();
const passes = {
  baseline: (line: Uint8Array) => [JSON.parse(decoder.decode(line)), sha256(line)],
  strict: (line: Uint8Array) => parseJson(line),
};
// Side by side in each round, each first in turn: whatever else the machine does slows both.
const rounds = Array.from({ length: ROUNDS }, (_, round) => {
  if (round % 2 === 0) return { baseline: time(passes.baseline), strict: time(passes.strict) };
  return { strict: time(passes.strict), baseline: time(passes.baseline) };
}).slice(ROUNDS / 3);
const bytes = lines.reduce((sum, line) => sum + line.length, 0);
console.log(`${lines.length} recorded lines, ${bytes} bytes`);
console.log(
  `JSON.parse + SHA-256: ${median(rounds.map(({ baseline }) => baseline)).toFixed(3)} ms`,
);
console.log(`parseJson:            ${median(rounds.map(({ strict }) => strict)).toFixed(3)} ms`);
console.log(
  `ratio:                ${median(rounds.map(({ strict, baseline }) => strict / baseline)).toFixed(2)} (goal: at most 1.50)`,
);
