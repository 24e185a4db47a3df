import { admit, isAdmission, judgeGovernance, judgeStanding } from "@eve/trust-admission";
import { goodEntry, NOW, renewed, VERSIONS, withValue, listIn } from "@eve/test-kit";
import { describe, expect, it } from "vitest";
import { GOVERNANCE_RUNGS } from "../src/rungs/governance.ts";
import { STANDING_RUNGS } from "../src/rungs/standing.ts";
import { SHEET } from "./sheet.ts";
import {
  admissionOf,
  asJson,
  BASES,
  codesOf,
  goodWorld,
  refusalsOf,
  registryOf,
  withEntry,
  withObserved,
  withSurface,
} from "./world.ts";

const GOVERNANCE: readonly string[] = GOVERNANCE_RUNGS.map(({ name }) => name);
const STANDING: readonly string[] = STANDING_RUNGS.map(({ name }) => name);

describe("a server that is as reviewed", () => {
  for (const { origin, transport } of BASES)
    for (const version of VERSIONS)
      it(`is admitted: ${origin} over ${transport} in ${version}`, () => {
        const world = goodWorld({ origin, transport }, version);
        const admission = admissionOf(world);
        expect(isAdmission(admission)).toBe(true);
        expect(admission).toMatchObject({
          integration: world.entry["id"],
          protocolVersion: version,
          transport: world.observation.transport.value,
        });
        expect([...admission.tools.keys()]).toEqual([
          "list_notes",
          "get_note",
          "add_note",
          "ship_note",
          "unship_note",
        ]);
        expect(judgeStanding(registryOf(world), world.observation, NOW)).toEqual([]);
        expect(judgeGovernance(registryOf(world), world.observation.integration, NOW)).toEqual([]);
      });

  it("shows which parts were measured and which attested", () => {
    expect(admissionOf(goodWorld())).toMatchObject({
      measured: ["source", "version", "transport", "surface"],
      attested: [],
    });
    expect(admissionOf(goodWorld({ transport: "streamable-http" }))).toMatchObject({
      measured: ["transport", "surface"],
      attested: ["source", "version"],
    });
  });

  it("is admitted while third parties' gates are unmet, if it is our own", () => {
    expect(refusalsOf({ ...goodWorld(), gates: "unmet" })).toEqual([]);
  });

  it("is admitted where another entry of the registry has a fault", () => {
    const faulty = withValue(goodEntry({ now: NOW, id: "memos" }), ["owner"], undefined);
    const world = { ...goodWorld(), others: [faulty] };
    expect(refusalsOf(world)).toEqual([]);
    expect(codesOf(refusalsOf(withObserved(world, ["integration"], () => "memos")))).toEqual([
      "registry.field_missing",
    ]);
  });

  it("is admitted with its tools, prompts and resources in another order (SS-01)", () => {
    const turned = ["tools", "prompts", "resources"].reduce(
      (world, part) => withSurface(world, [part], (old) => listIn(old).toReversed()),
      goodWorld(),
    );
    expect(refusalsOf(turned)).toEqual([]);
  });

  it("is admitted with its environment names in another order", () => {
    expect(
      refusalsOf(
        withObserved(goodWorld(), ["transport", "value", "env"], (old) => listIn(old).toReversed()),
      ),
    ).toEqual([]);
  });

  it("may be reviewed by its owner where it does not publish", () => {
    const mild = ["ship_note", "unship_note"].reduce(
      (entry, _name, i) => withValue(entry, ["tools", 3 + i, "riskClass"], "write"),
      withValue(goodWorld().entry, ["riskClass"], "write"),
    );
    const own = renewed(withValue(mild, ["review", "reviewer"], "notes-team"));
    expect(codesOf(refusalsOf({ ...goodWorld(), entry: own }))).not.toContain(
      "review.not_independent",
    );
  });

  it("may rest on a generated entry where it is local", () => {
    const origin = "http://127.0.0.1:8080";
    const local = [
      [["deployment"], "local-development"],
      [["destinations"], [{ origin, dataClasses: ["note"] }]],
      [["credentials", 0, "destinations"], [origin]],
      [["credentials", 1, "destinations"], [origin]],
      [["review", "basis"], "generated"],
    ] as const;
    expect(
      refusalsOf({
        ...goodWorld(),
        entry: renewed(
          local.reduce((entry, [path, value]) => withValue(entry, path, value), goodWorld().entry),
        ),
      }),
    ).toEqual([]);
  });
});

describe("the adversarial sheet", () => {
  it.each(SHEET.map((row) => [`refuses ${row.title}: ${row.code}`, row] as const))(
    "%s",
    (_title, { code, rung, base, change, reason }) => {
      const world = change(goodWorld(base));
      expect({ code: refusalsOf(world)[0]?.code, reason }).toEqual({ code, reason });
      const standing = judgeStanding(registryOf(world), world.observation, world.now)[0]?.code;
      const governance = judgeGovernance(
        registryOf(world),
        world.observation.integration,
        world.now,
      )[0]?.code;
      expect(standing === code).toBe(["presence", ...GOVERNANCE, ...STANDING].includes(rung));
      expect(governance === code).toBe(["presence", ...GOVERNANCE].includes(rung));
    },
  );

  it("changes nothing else: each row's base is admitted", () => {
    for (const { base } of SHEET) expect(refusalsOf(goodWorld(base))).toEqual([]);
  });

  it("answers the same on every repeat", () => {
    for (const { base, change } of SHEET) {
      const world = change(goodWorld(base));
      expect(refusalsOf(world)).toEqual(refusalsOf(world));
    }
  });
});

describe("all causes are reported", () => {
  it("in the order of the rungs", () => {
    const world = withSurface(
      withObserved(
        withEntry(
          withEntry(goodWorld(), ["lifecycle", "state"], "revoked"),
          ["health", "status"],
          "unknown",
        ),
        ["version", "value"],
        () => "9.9.9",
      ),
      ["tools", 1, "description"],
      () => "x",
    );
    expect(codesOf(refusalsOf(world))).toEqual([
      "lifecycle.revoked",
      "health.unknown",
      "source.version_changed",
      "surface.description_drift",
      "surface.definition_drift",
    ]);
  });

  it("of one field, names the entry, the field, what was expected and what was found", () => {
    const [refusal] = refusalsOf(withObserved(goodWorld(), ["version", "value"], () => "1.4.1"));
    expect(refusal).toMatchObject({
      integration: "notes",
      subject: "source.version",
      expected: "1.4.0",
      actual: "1.4.1",
    });
  });

  it("of a faulty entry, as the registry's parser tells them", () => {
    expect(refusalsOf(withEntry(goodWorld(), ["owner", "team"], undefined))).toMatchObject([
      { code: "registry.field_missing", subject: "owner.team", integration: "notes" },
    ]);
    expect(codesOf(refusalsOf(withEntry(goodWorld(), ["kind"], "plugin")))).toEqual([
      "entry.kind_unknown",
    ]);
    expect(codesOf(refusalsOf(withEntry(goodWorld(), ["lifecycle", "state"], "paused")))).toEqual([
      "lifecycle.unknown",
    ]);
  });

  it("lists added and missing tools (SN-01, SN-02), no more than twenty of each", () => {
    const renamed = withSurface(goodWorld(), ["tools", 0, "name"], () => "admin_delete");
    expect(refusalsOf(renamed)[0]).toMatchObject({
      code: "surface.tool_set_drift",
      actual: "added: admin_delete; missing: list_notes",
    });
    const many = withSurface(goodWorld(), ["tools"], (old) => [
      ...listIn(old),
      ...Array.from({ length: 50 }, (_, i) => ({ name: `t${i}` })),
    ]);
    expect(refusalsOf(many)[0]?.actual).toMatch(/t19 and 30 more; missing: none$/);
  });
});

it("does not change what it is asked about", () => {
  const world = goodWorld();
  const before = JSON.stringify(asJson(world.observation));
  admit(registryOf(world), world.observation, NOW);
  expect(JSON.stringify(asJson(world.observation))).toBe(before);
});
