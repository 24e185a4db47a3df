/**
 * Prints how the time to parse and validate a registry grows with its entries: ten times as many take at most eleven
 * times as long. Run with `pnpm bench`. It asserts no time.
 */
import { parseRegistry, type Registry, type RegistryLimits } from "@eve/registry-schema";
import { goodDocument, goodEntry, listIn, NOW, objectIn, withChange } from "@eve/test-kit";

const TOOLS = 50;
const LARGEST = 1000;
const SIZES = [LARGEST / 10, LARGEST];
const ROUNDS = 12;
/** A registry of a thousand entries is larger than one that a program reads. */
const LIMITS: RegistryLimits = { maxBytes: 2 ** 28, maxValues: 2e7, maxMembers: 1e5 };

const ENTRY = withChange(goodEntry({ now: NOW }), ["tools"], (tools) => {
  const known = listIn(tools);
  return Array.from({ length: TOOLS }, (_, n) => ({
    ...objectIn(known[n % known.length]),
    name: `notes_tool_${n}`,
  }));
});

/** The document of so many entries. Each has an id of its own and the evidence paths that follow it. */
function documentOf(entries: number): Uint8Array {
  const text = JSON.stringify(ENTRY);
  const copies = Array.from({ length: entries }, (_, n) =>
    objectIn(
      JSON.parse(
        text
          .replace('"id":"notes"', `"id":"notes-${n}"`)
          .replaceAll("evidence/notes/", `evidence/notes-${n}/`),
      ),
    ),
  );
  return new TextEncoder().encode(JSON.stringify(goodDocument({ entries: copies }).value));
}

/** Parses a document whose entries are all complete. */
function parse(bytes: Uint8Array): Registry {
  const result = parseRegistry(bytes, { limits: LIMITS });
  if (!result.ok) throw new Error(result.refusals[0].code);
  for (const record of result.registry.integrations.values())
    if (record.status === "faulty") throw new Error(record.refusals[0].subject);
  return result.registry;
}

/**
 * Milliseconds to parse a document of so many entries: the mean of as many parses in a row, all kept, as make up the
 * largest document. So each size carries its share of garbage collection over the same number of live entries.
 */
function time(bytes: Uint8Array, entries: number): number {
  const kept: Registry[] = [];
  const start = performance.now();
  while (kept.length * entries < LARGEST) kept.push(parse(bytes));
  return (performance.now() - start) / kept.length;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const documents = SIZES.map(documentOf);
const rounds = Array.from({ length: ROUNDS }, () =>
  documents.map((bytes, size) => time(bytes, SIZES[size] ?? 0)),
).slice(2);
SIZES.forEach((entries, size) => {
  const mib = ((documents[size]?.length ?? 0) / 2 ** 20).toFixed(1);
  const ms = median(rounds.map((times) => times[size] ?? Number.NaN)).toFixed(0);
  console.log(`${entries} entries of ${TOOLS} tools: ${mib} MiB, ${ms} ms`);
});
const growth = median(rounds.map(([few = 0, many = 0]) => many / few));
console.log(`ten times the entries take ${growth.toFixed(2)} times as long (goal: at most 11)`);
console.log(`peak memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
