/**
 * Prints how long strict parsing takes beside JSON.parse and SHA-256 of the same bytes, over recorded tool listings.
 * Run with `node bench/parse.bench.ts`. It asserts no time.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseJson, sha256 } from "../src/index.ts";
import { sharedFolder } from "@eve/config/shared-folder";

const ROUNDS = 300;

const folder = sharedFolder("fixtures", "surfaces");
const lines = readdirSync(folder)
  .filter((file) => file.endsWith(".jsonl"))
  .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
  .filter((line) => line !== "")
  .map((line) => new TextEncoder().encode(line));
if (lines.length === 0) throw new Error(`no recorded lines in ${folder}`);

/** The median milliseconds of one pass over all lines. */
function median(pass: (line: Uint8Array) => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (const line of lines) pass(line);
    return performance.now() - start;
  });
  return times.slice(ROUNDS / 3).toSorted((a, b) => a - b)[ROUNDS / 3] ?? Number.NaN;
}

const decoder = new TextDecoder();
const baseline = median((line) => [JSON.parse(decoder.decode(line)), sha256(line)]);
const strict = median((line) => parseJson(line));
const bytes = lines.reduce((sum, line) => sum + line.length, 0);
console.log(`${lines.length} lines, ${bytes} bytes`);
console.log(`JSON.parse + SHA-256: ${baseline.toFixed(3)} ms`);
console.log(`parseJson:            ${strict.toFixed(3)} ms`);
console.log(`ratio:                ${(strict / baseline).toFixed(2)}`);
