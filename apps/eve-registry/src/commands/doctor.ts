import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { CATALOGUE, isRefusalCode, parseInstant } from "@eve/registry-schema";
import { parseObject } from "../json-values.ts";
import type { Outcome } from "../outcome.ts";

/** What a program left when it refused to start: `{at, codes}`. */
interface Note {
  readonly integration: string;
  readonly at: string;
  readonly codes: readonly string[];
}

/**
 * Tells why integrations last refused to start on this machine: clients hide it, the programs left a note. JSON:
 * `{folder, notes: [{integration, at, codes}], unreadable: [file…]}`.
 */
export function doctor(stateFolder: string): Outcome {
  const read = names(stateFolder).map((name) => ({
    file: join(stateFolder, name),
    note: readNote(stateFolder, name),
  }));
  const notes = read.flatMap(({ note }) => (note ? [note] : []));
  const unreadable = read.flatMap(({ note, file }) => (note ? [] : [file]));
  const none = `No integration has left a refusal in ${stateFolder}.`;
  return {
    lines: read.length === 0 ? [none] : [...notes.flatMap(describe), ...unreadable.map(complain)],
    json: { folder: stateFolder, notes: notes.map((note) => ({ ...note })), unreadable },
    refusals: [],
  };
}

function describe({ integration, at, codes }: Note): readonly string[] {
  return [
    `${integration} refused at ${at}`,
    ...codes.flatMap((code) =>
      isRefusalCode(code)
        ? [`  ${code}  ${CATALOGUE[code].title}`, `    → ${CATALOGUE[code].remedy}`]
        : [`  ${code}`, "    → Update eve-registry: this code is newer than it."],
    ),
  ];
}

function complain(file: string): string {
  return `✗ ${file} is no note of a refusal. Remove it and start the integration again.`;
}

function readNote(folder: string, name: string): Note | undefined {
  const result = readRegularFileSync(join(folder, name), { maxBytes: 65_536 });
  const { at, codes } = ("bytes" in result && parseObject(result.bytes)) || {};
  if (typeof at !== "string" || parseInstant(at) === undefined) return undefined;
  if (!Array.isArray(codes) || !codes.every(isCode)) return undefined;
  return { integration: name.replace(/\.json$/, ""), at, codes };
}

/** A code of this catalogue or of a later one: nothing else of a file is shown to people. */
function isCode(value: unknown): value is string {
  return typeof value === "string" && /^[a-z_.]{1,64}$/.test(value);
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[a-z0-9][a-z0-9-]{0,63}\.json$/.test(name))
      .toSorted();
  } catch {
    return [];
  }
}
