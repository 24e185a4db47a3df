import type { JsonObject } from "@eve/canonical-json";
import {
  assemble,
  type AssembledRegistry,
  readSources,
  type RegistrySources,
} from "@eve/registry/sources";
import { type Entry, type FirstPartyEntry, type Refusals } from "@eve/registry-schema";
import { textOf } from "./json-values.ts";
import { completeDraft } from "./owner-draft.ts";
import { UsageError } from "./usage-error.ts";

/** A registry read from its folder and parsed, evidence not yet judged. */
export type LoadedRegistry =
  | { readonly ok: true; readonly sources: RegistrySources; readonly assembled: AssembledRegistry }
  | { readonly ok: false; readonly refusals: Refusals };

/** Reads and parses the registry of a folder. The entries of `drafts` may hold only what an owner writes. */
export function loadRegistry(folder: string, drafts: readonly string[] = []): LoadedRegistry {
  const read = readSources(folder);
  if (!read.ok) return read;
  const entries = read.sources.entries.map(({ file, raw }) => ({
    file,
    raw: drafts.includes(textOf(raw["id"])) && isFirstParty(raw) ? completeDraft(raw) : raw,
  }));
  const sources = { ...read.sources, entries };
  const assembled = assemble(sources);
  return assembled.ok ? { ok: true, sources, assembled } : assembled;
}

function isFirstParty(raw: JsonObject): boolean {
  return raw["origin"] === "first-party";
}

/** The complete entry of an id with its raw JSON; the error lists the ids there are. */
export function requireEntry(
  { registry }: AssembledRegistry,
  id: string,
): { readonly entry: Entry; readonly raw: JsonObject } {
  const record = registry.integrations.get(id);
  if (record?.status === "complete") return record;
  throw new UsageError(
    `No entry ${JSON.stringify(id)} in the registry. It has: ${[...registry.integrations.keys()].join(", ")}.`,
  );
}

/** Narrows to an entry whose source is in this repository. */
export function requireFirstParty(entry: Entry): FirstPartyEntry {
  if (entry.origin === "first-party") return entry;
  throw new UsageError(
    `${entry.id} is a third party's: its source is not in this repository, so nothing here builds or renews it.`,
  );
}

/** The sources with one raw entry put in place of the one of its id. */
export function withEntry(sources: RegistrySources, raw: JsonObject): RegistrySources {
  return {
    ...sources,
    entries: sources.entries.map((one) =>
      one.raw["id"] === raw["id"] ? { file: one.file, raw } : one,
    ),
  };
}
