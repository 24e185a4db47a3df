import type { Refusal } from "@eve/registry-schema";
import { describe, expect, it } from "vitest";
import { climb, findEntry } from "../src/ladder.ts";
import { surfacePins } from "../src/pins.ts";
import type { Rung, SurfaceCase } from "../src/rung.ts";
import { GOVERNANCE_RUNGS } from "../src/rungs/governance.ts";
import { protocol } from "../src/rungs/protocol.ts";
import { STANDING_RUNGS } from "../src/rungs/standing.ts";
import { SURFACE_RUNGS } from "../src/rungs/surface.ts";
import { type Row, SHEET } from "./sheet.ts";
import { type Base, goodWorld, refusalsOf, registryOf, type World } from "./world.ts";

/** The ladder in its decided order, written out: a rung that moves, goes or comes is a decision. */
const ORDER: readonly string[] = [
  "kind",
  "lifecycle",
  "dependency gates",
  "health",
  "evaluation",
  "review",
  "clock",
  "provenance",
  "source",
  "artifact",
  "version",
  "transport",
  "protocol",
  "measured surface",
  "tool set",
  "input schemas",
  "descriptions",
  "definitions",
  "annotations",
  "instructions",
  "capabilities",
  "prompts",
  "resources",
  "schemas",
  "text",
  "links",
  "client",
];
const RUNGS: readonly Rung<SurfaceCase>[] = [
  ...GOVERNANCE_RUNGS,
  ...STANDING_RUNGS,
  protocol,
  ...SURFACE_RUNGS,
];

/** What the ladder would answer without one of its rungs. */
function climbWithout(rung: string, world: World): readonly Refusal[] {
  const registry = registryOf(world);
  const found = findEntry(registry, world.observation.integration);
  if ("refusals" in found) return found.refusals;
  const { entry } = found;
  const on = {
    registry,
    entry,
    observation: world.observation,
    now: world.now,
    pins: surfacePins(world.observation.surface.value),
  };
  return climb(
    RUNGS.filter(({ name }) => name !== rung),
    on,
    entry,
  );
}

it("has the decided rungs in the decided order", () => {
  expect(RUNGS.map(({ name }) => name)).toEqual(ORDER);
});

describe.each(ORDER)("the rung %s", (rung) => {
  const rows = SHEET.filter((row) => row.rung === rung);

  it("has a row in the sheet", () => {
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(rows.map((row) => [row.title, row] as const))(
    "is what refuses %s: without it another code comes first, or none",
    (_title, { code, base, change }) => {
      const world = change(goodWorld(base));
      expect(climbWithout("none", world)[0]?.code).toBe(code);
      expect(climbWithout(rung, world).map((refusal) => refusal.code)).not.toContain(code);
    },
  );
});

/** The first row of a rung that changes a stdio world of this origin. */
function firstRow(rung: string, base: Required<Base>): Row | undefined {
  const rows = SHEET.filter((row) => row.rung === rung && !row.base?.transport);
  return rows.find((row) => (row.base?.origin ?? "first-party") === base.origin);
}

describe("where two faults meet, the code of the earlier rung comes first", () => {
  const bases: readonly Required<Base>[] = [
    { origin: "first-party", transport: "stdio" },
    { origin: "third-party", transport: "stdio" },
  ];
  const pairs = ORDER.flatMap((early, i) =>
    ORDER.slice(i + 1).flatMap((late) =>
      bases.flatMap((base) => {
        const rows = [firstRow(early, base), firstRow(late, base)] as const;
        return rows[0] && rows[1] ? [[early, late, base, rows[0], rows[1]] as const] : [];
      }),
    ),
  );

  it("in more than 200 pairs", () => {
    expect(pairs.length).toBeGreaterThan(200);
  });

  it.each(pairs)("%s before %s", (_early, _late, base, early, late) => {
    expect(refusalsOf(early.change(late.change(goodWorld(base))))[0]?.code).toBe(early.code);
  });
});

it("ends at the protocol: what follows needs that version's pins", () => {
  const row = SHEET.find(({ rung }) => rung === "protocol");
  const world = row?.change(goodWorld()) ?? goodWorld();
  expect(refusalsOf(world).map(({ code }) => code)).toEqual(["protocol.version_unadmitted"]);
});

it("takes a rung that throws as one that refuses: internal.error", () => {
  const world = goodWorld();
  const found = findEntry(registryOf(world), "notes");
  if ("refusals" in found) throw new TypeError("absent");
  const thrower: Rung<undefined> = {
    name: "thrower",
    judge: () => {
      throw new RangeError("a secret");
    },
  };
  expect(climb([thrower], undefined, found.entry)).toMatchObject([
    { code: "internal.error", integration: "notes", subject: "thrower", actual: "RangeError" },
  ]);
});
