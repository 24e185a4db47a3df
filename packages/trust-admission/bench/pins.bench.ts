/**
 * Prints how long it takes to parse strictly and pin what real servers list, beside JSON.parse and SHA-256 of the same
 * bytes. Run with `pnpm bench`. It asserts no time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@eve/config/shared-folder";
import { isJsonArray, isJsonObject, type JsonObject, parseJson, sha256 } from "@eve/canonical-json";
import { judgeLinks, judgeSchemas, judgeText, type Surface, surfacePins } from "../src/index.ts";

const ROUNDS = 200;
const MANY = 400;

const folder = sharedFolder("fixtures", "surfaces");
const recordings = readdirSync(folder)
  .filter((file) => file.endsWith(".jsonl"))
  .map((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => Buffer.from(line)),
  );
if (recordings.length === 0) throw new Error(`no recordings in ${folder}`);

/** One listing of many tools, made of the recorded ones. */
function manyTools(): readonly Buffer[] {
  const all = recordings.flatMap((lines) => surfaceOf(lines).tools);
  const tools = Array.from({ length: MANY }, (_, at) => ({
    ...all[at % all.length],
    name: `tool_${at}`,
  }));
  return [Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } }))];
}

function surfaceOf(lines: readonly Buffer[]): Surface {
  const results = lines.map(resultOf);
  const listed = (name: string): readonly JsonObject[] | undefined =>
    results
      .map((result) => result[name])
      .find((list) => isJsonArray(list))
      ?.filter((item) => isJsonObject(item));
  const { instructions, capabilities } = results.find((one) => "capabilities" in one) ?? {};
  return {
    protocolVersion: "2025-11-25",
    instructions,
    capabilities,
    tools: listed("tools") ?? [],
    prompts: listed("prompts"),
    resources: listed("resources"),
    resourceTemplates: listed("resourceTemplates"),
  };
}

function resultOf(line: Buffer): JsonObject {
  const parsed = parseJson(line);
  const result = parsed.ok && isJsonObject(parsed.value) ? parsed.value["result"] : undefined;
  return isJsonObject(result) ? result : {};
}

const decoder = new TextDecoder();
const time = (pass: () => unknown): number => {
  const start = performance.now();
  pass();
  return performance.now() - start;
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

function compare(title: string, surfaces: readonly (readonly Buffer[])[]): void {
  // Side by side in each round, so that whatever else the machine does slows all.
  const rounds = Array.from({ length: ROUNDS }, () => ({
    floor: time(() =>
      surfaces.map((lines) =>
        lines.map((line) => [JSON.parse(decoder.decode(line)), sha256(line)]),
      ),
    ),
    pinned: time(() => surfaces.map((lines) => surfacePins(surfaceOf(lines)))),
    judged: time(() =>
      surfaces.map((lines) => {
        const surface = surfaceOf(lines);
        return [
          surfacePins(surface),
          judgeSchemas("x", surface),
          judgeText("x", surface, []),
          judgeLinks("x", surface),
        ];
      }),
    ),
  })).slice(ROUNDS / 4);
  const bytes = surfaces.flat().reduce((sum, line) => sum + line.length, 0);
  const tell = (of: (round: { floor: number; pinned: number; judged: number }) => number): string =>
    median(rounds.map(of)).toFixed(2);
  console.log(`${title}, ${bytes} bytes`);
  console.log(`  JSON.parse + SHA-256:      ${tell(({ floor }) => floor)} ms`);
  console.log(
    `  parsed and pinned:         ${tell(({ pinned }) => pinned)} ms, ${tell(({ floor, pinned }) => pinned / floor)} times (goal: at most 4.00)`,
  );
  console.log(`  schemas and texts judged:  ${tell(({ floor, judged }) => judged / floor)} times`);
}

compare(`${recordings.length} recorded surfaces`, recordings);
compare(`one surface of ${MANY} tools`, [manyTools()]);
