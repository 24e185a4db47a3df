import type { JsonObject } from "@eve/canonical-json";
import { withChange, withValue } from "@eve/test-kit";
import { objectsAt } from "../json.ts";
import { type Change, reviewed } from "../trial.ts";
import { all, oneDigit, type RefusalRow, set } from "./row.ts";

const ERAS = [
  { era: "legacy", version: "2025-11-25", other: "2026-07-28" },
  { era: "modern", version: "2026-07-28", other: "2025-11-25" },
] as const;

const inTools = (change: (tools: readonly JsonObject[]) => readonly JsonObject[]): Change =>
  all((entry) => withValue(entry, ["tools"], change(objectsAt(entry, "tools"))), reviewed);

const first = <T>(list: readonly T[]): T => {
  const [one] = list;
  if (one === undefined) throw new Error("an empty list");
  return one;
};

const standing: readonly RefusalRow[] = [
  {
    what: "RP-10 one digit of the source",
    entry: oneDigit(["source", "sha256"]),
    code: "source.changed",
  },
  {
    what: "another version",
    entry: set(["source", "version"], "1.0.1"),
    code: "source.version_changed",
  },
  {
    what: "one digit of the artifact",
    entry: oneDigit(["source", "artifacts", 0, "sha256"]),
    code: "artifact.changed",
  },
  {
    what: "an artifact more",
    entry: (entry) =>
      withChange(entry, ["source", "artifacts"], (old) => [
        ...(Array.isArray(old) ? old : []),
        { path: "dist/worker.js", sha256: "0".repeat(64) },
      ]),
    code: "artifact.changed",
  },
  {
    what: "RP-13 another command",
    entry: set(["transport", "command"], "node; true"),
    code: "transport.changed",
  },
  {
    what: "an argument more",
    entry: set(["transport", "args"], ["main.js", "--quiet"]),
    code: "transport.changed",
  },
  {
    what: "a variable more",
    entry: all(
      set(["transport", "env"], ["OSHUN_WORKBENCH_URL", "OSHUN_WORKBENCH_TOKEN", "OSHUN_DEBUG"]),
      addSetting,
      reviewed,
    ),
    code: "transport.changed",
  },
];

const toolSet: readonly RefusalRow[] = [
  {
    what: "SN-01 a tool that the entry has not",
    entry: inTools((tools) => tools.slice(1)),
    code: "surface.tool_set_drift",
  },
  {
    what: "SN-02 a tool that the program has not",
    entry: inTools((tools) => [...tools, { ...first(tools), name: "workbench_export_items" }]),
    code: "surface.tool_set_drift",
  },
  {
    what: "one tool removed from the entry and one added",
    entry: inTools((tools) => [
      { ...first(tools), name: "workbench_export_items" },
      ...tools.slice(1),
    ]),
    code: "surface.tool_set_drift",
  },
  {
    what: "SN-04 the pins of two tools exchanged",
    entry: inTools(exchangePins),
    code: "surface.schema_drift",
  },
  {
    what: "RS-14 a pin of zeros",
    entry: set(["tools", 0, "pins", "description"], "0".repeat(64)),
    code: "surface.description_drift",
  },
];

const pinned: readonly RefusalRow[] = ERAS.flatMap(({ era, version }): readonly RefusalRow[] => [
  {
    what: `${version}: one digit of an input schema`,
    era,
    entry: oneDigit(["tools", 0, "pins", "inputSchema"]),
    code: "surface.schema_drift",
  },
  {
    what: `${version}: one digit of a description`,
    era,
    entry: oneDigit(["tools", 6, "pins", "description"]),
    code: "surface.description_drift",
  },
  {
    what: `${version}: one digit of a definition`,
    era,
    entry: oneDigit(["tools", 3, "pins", "definition", version]),
    code: "surface.definition_drift",
  },
  {
    what: `${version}: one digit of the instructions`,
    era,
    entry: oneDigit(["surface", version, "instructions"]),
    code: "surface.instructions_drift",
  },
  {
    what: `${version}: one digit of the capabilities`,
    era,
    entry: oneDigit(["surface", version, "capabilities"]),
    code: "surface.capability_drift",
  },
  {
    what: `${version}: one digit of the prompts`,
    era,
    entry: oneDigit(["surface", version, "prompts"]),
    code: "surface.prompt_drift",
  },
  {
    what: `${version}: one digit of the resources`,
    era,
    entry: oneDigit(["surface", version, "resources"]),
    code: "surface.resource_drift",
  },
  {
    what: `${version}: another client than the reviewed one`,
    era,
    entry: set(["surface", "observedWith", "clientCapabilities"], { roots: {} }),
    code: "surface.client_mismatch",
  },
]);

const protocol: readonly RefusalRow[] = ERAS.map(({ era, version, other }) => ({
  what: `SN-14 a client of ${version} where the entry lists ${other} alone`,
  era,
  entry: onlyVersion(other),
  code: "protocol.version_unadmitted",
}));

/** What is refused because the entry says something else than what runs. */
export const PIN_ROWS: readonly RefusalRow[] = [...standing, ...toolSet, ...pinned, ...protocol];

function addSetting(entry: JsonObject): JsonObject {
  return withChange(entry, ["configuration"], (old) => [
    ...(Array.isArray(old) ? old : []),
    { env: "OSHUN_DEBUG", required: false },
  ]);
}

function exchangePins(tools: readonly JsonObject[]): readonly JsonObject[] {
  const [one, two, ...rest] = tools;
  if (!one || !two) throw new Error("fewer than two tools");
  return [{ ...one, pins: two["pins"] ?? null }, { ...two, pins: one["pins"] ?? null }, ...rest];
}

function onlyVersion(version: string): Change {
  return (entry) => {
    const without = ["2025-11-25", "2026-07-28"].filter((candidate) => candidate !== version);
    const one = withValue(entry, ["protocol", "versions"], [version]);
    return without.reduce((left, gone) => {
      const surface = withValue(left, ["surface", gone], undefined);
      return objectsAt(surface, "tools").reduce<JsonObject>(
        (rest, _, i) => withValue(rest, ["tools", i, "pins", "definition", gone], undefined),
        surface,
      );
    }, one);
  };
}
