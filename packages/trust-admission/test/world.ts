/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { parseRegistry, type Refusal, type RefusalCode, type Registry } from "@eve/registry-schema";
import {
  bytesOf,
  type EntryOptions,
  goodDocument,
  goodEntry,
  goodObservation,
  type KitObservation,
  listIn,
  NOW,
  objectIn,
  type Path,
  renewed,
  type Version,
  withChange,
  withValue,
} from "@eve/test-kit";
import {
  type Admission,
  admit,
  type Observation,
  surfacePins,
  type ToolCall,
} from "@eve/trust-admission";

/** Everything a decision is made from: the entry in question, its registry, what was observed, and the clock. */
export interface World {
  readonly entry: JsonObject;
  /** Further entries of the same registry. */
  readonly others: readonly JsonObject[];
  readonly gates: "met" | "unmet";
  readonly observation: Observation;
  readonly now: number;
}

export type Base = Pick<EntryOptions, "origin" | "transport">;

/** Both origins over both transports. */
export const BASES: readonly Required<Base>[] = [
  { origin: "first-party", transport: "stdio" },
  { origin: "first-party", transport: "streamable-http" },
  { origin: "third-party", transport: "stdio" },
  { origin: "third-party", transport: "streamable-http" },
];

const entries = new Map<string, JsonObject>();
/** The good entry of a base, made once. */
function entryOf(base: Base): JsonObject {
  const key = JSON.stringify(base);
  const entry = entries.get(key) ?? goodEntry({ now: NOW, ...base });
  entries.set(key, entry);
  return entry;
}

/** A world in which everything is as reviewed, in the version of the older era where none is named. */
export function goodWorld(base: Base = {}, version: Version = "2025-11-25"): World {
  const observation = goodObservation(version, base);
  return { entry: entryOf(base), others: [], gates: "met", observation, now: NOW };
}

/** The registry of a world, parsed from bytes. */
export function registryOf({
  entry,
  others,
  gates,
}: Pick<World, "entry" | "others" | "gates">): Registry {
  const result = parseRegistry(goodDocument({ entries: [entry, ...others], gates }).bytes);
  if (!result.ok)
    throw new TypeError(`no registry: ${result.refusals[0].code} ${result.refusals[0].subject}`);
  return result.registry;
}

/** Why the world is refused; empty where it is admitted. */
export function refusalsOf(world: World): readonly Refusal[] {
  const verdict = admit(registryOf(world), world.observation, world.now);
  return verdict.admitted ? [] : verdict.refusals;
}

export const codesOf = (refusals: readonly Refusal[]): readonly RefusalCode[] =>
  refusals.map(({ code }) => code);

/** The admission of a world that is admitted. */
export function admissionOf(world: World): Admission {
  const verdict = admit(registryOf(world), world.observation, world.now);
  if (!verdict.admitted) throw new TypeError(`refused: ${codesOf(verdict.refusals).join(", ")}`);
  return verdict.admission;
}

/** A good call of a tool of the good world. */
export function goodCall(
  tool: string,
  annotations: JsonObject,
  changes: Partial<ToolCall> = {},
): ToolCall {
  return {
    tool,
    protocolVersion: "2025-11-25",
    annotations,
    credential: { id: "notes-bearer", destination: "https://notes.eve.example" },
    scopes: ["notes:read", "notes:write", "notes:publish"],
    consent: { by: "backend" },
    generation: { listed: 1, current: 1 },
    arguments: { from: "wire", bytes: bytesOf({ id: "n-1", target: "staging" }) },
    ...changes,
  };
}

/** The world with one place of the entry changed; `undefined` removes it. */
export function withEntry(world: World, path: Path, value: JsonValue | undefined): World {
  return { ...world, entry: withValue(world.entry, path, value) };
}

/** The world with one place of the observation changed; `undefined` removes it. */
export function withObserved(
  world: World,
  path: Path,
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): World {
  return { ...world, observation: observed(withChange(asJson(world.observation), path, change)) };
}

/** The world with one place of the observed surface changed. */
export function withSurface(
  world: World,
  path: Path,
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): World {
  return withObserved(world, ["surface", "value", ...path], change);
}

/** The world as if somebody had reviewed what is observed: the entry has the pins of that surface. */
export function asReviewed(world: World): World {
  const { value } = world.observation.surface;
  const { tools, ...server } = surfacePins(value);
  const version = value.protocolVersion;
  const entry = listIn(world.entry["tools"]).reduce<JsonObject>((left, tool, at) => {
    const pins = tools.find(({ name }) => name === objectIn(tool)["name"])?.pins;
    if (!pins) return left;
    const { inputSchema, description, definition } = pins;
    const withText = withValue(left, ["tools", at, "pins", "description"], description);
    const withSchema = withValue(withText, ["tools", at, "pins", "inputSchema"], inputSchema);
    return withValue(withSchema, ["tools", at, "pins", "definition", version], definition);
  }, world.entry);
  return { ...world, entry: renewed(withValue(entry, ["surface", version], server)) };
}

/** An observation is made of JSON values, but for members that are absent. */
export function asJson(observation: Observation | KitObservation): JsonObject {
  return observation as unknown as JsonObject;
}

/** Anything, as what an observer would hand over. */
export function observed(value: unknown): Observation {
  return value as Observation;
}
