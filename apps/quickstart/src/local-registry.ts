import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import { type EvidenceFile, formatJson, runCli, writeFiles } from "@eve/registry-cli";
import { parseRegistry, type Registry } from "@eve/registry-schema";
import type { RunContext } from "./run-context.ts";
import { StepError } from "./step-error.ts";

import { textAt } from "./json-members.ts";

/** The sources of a registry of this run: the manifest, raw entries and evidence. */
export interface LocalSources {
  readonly manifest: JsonObject;
  readonly entries: readonly JsonObject[];
  readonly files: readonly EvidenceFile[];
}

/** A registry as it stands beside a program. */
export interface LocalRegistry {
  readonly document: JsonObject;
  readonly registry: Registry;
  /** Absolute path of the file it was read from. */
  readonly registryFile: string;
}

/** Writes registry sources into `sources`, and has `eve-registry assemble` check them and write registry.json into `to`. */
export async function assembleLocal(
  { manifest, entries, files }: LocalSources,
  sources: string,
  to: string,
  context: RunContext,
): Promise<LocalRegistry> {
  writeFiles([
    { path: join(sources, "registry.json"), bytes: formatJson(manifest) },
    ...entries.map((entry) => ({
      path: join(sources, "integrations", `${textAt(entry, "id")}.json`),
      bytes: formatJson(entry),
    })),
    ...files.map(({ path, bytes }) => ({ path: join(sources, path), bytes })),
  ]);
  const told: string[] = [];
  const exit = await runCli(["assemble", "--registry", sources, "--to", to], {
    cwd: context.folder,
    env: context.env,
    version: "1.0.0",
    now: () => context.now,
    stdout: () => {},
    stderr: (text) => void told.push(text),
    progress: () => {},
    ask: undefined,
  });
  if (exit !== 0)
    throw new StepError(
      `eve-registry assemble refused the generated registry:\n${told.join("").trimEnd()}`,
    );
  return readLocal(join(to, "registry.json"));
}

/** Reads an assembled registry back from its file. */
export function readLocal(file: string): LocalRegistry {
  const bytes = readFileSync(file);
  const [parsed, result] = [parseJson(bytes, { profile: "registry" }), parseRegistry(bytes)];
  if (!result.ok) throw new StepError(`${file}: ${result.refusals[0].code}`);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new StepError(`${file}: no JSON object`);
  return { document: parsed.value, registry: result.registry, registryFile: file };
}
