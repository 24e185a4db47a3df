import { canonicalJson, type JsonValue } from "@eve/canonical-json";
import { loadRegistry, requireEntry } from "../entry-file.ts";
import { measureEntry, type SpawnOptions } from "../measure-entry.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import type { Workspace } from "../workspace.ts";

/** Measures what an entry pins, now: source, version, artifacts and the surface in each protocol version. A first-party entry may hold only what its owner writes. Writes nothing. */
export async function measure(
  workspace: Workspace,
  id: string,
  options: SpawnOptions,
  caller: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const loaded = loadRegistry(workspace.registry, [id]);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const { entry, raw } = requireEntry(loaded.assembled, id);
  const measurement = await measureEntry(workspace, loaded, entry, raw, options, caller);
  if (!measurement.ok) return refusedOutcome(measurement.refusals);
  const { members } = measurement;
  const changed = Object.keys(members).filter((key) => !isSame(raw[key], members[key]));
  const verdict =
    changed.length === 0 ? "as pinned" : `differs from the entry in: ${changed.join(", ")}`;
  return {
    lines: [`${id}: ${verdict}`, JSON.stringify(members, null, 2)],
    json: { id, changed, measured: members },
    refusals: [],
  };
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
