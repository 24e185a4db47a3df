import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { canonicalJson } from "@eve/canonical-json";
import {
  ENTRY_LEAVES,
  type EntryLeaf,
  parseRegistry,
  type RefusalCode,
} from "@eve/registry-schema";
import {
  at,
  goodDocument,
  goodEvidence,
  hintsOf,
  leavesOf,
  NOW,
  type Path,
  pathText,
  renewed,
  valueAt,
  VERSIONS,
  withChange,
  withValue,
  listIn,
  objectIn,
  textIn,
} from "@eve/test-kit";
import { admit, admitToolCall, judgeEvidence } from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GOVERNANCE_RUNGS } from "../src/rungs/governance.ts";
import { protocol } from "../src/rungs/protocol.ts";
import { STANDING_RUNGS } from "../src/rungs/standing.ts";
import { SURFACE_RUNGS } from "../src/rungs/surface.ts";
import { anyJson } from "./arbitraries.ts";
import {
  admissionOf,
  asJson,
  BASES,
  type Base,
  codesOf,
  goodCall,
  goodWorld,
  observed,
  refusalsOf,
  registryOf,
} from "./world.ts";

const FREE = "surface.observedWith.clientCapabilities";

/** The row of the table that a leaf of an entry belongs to. */
function leafOf(path: Path): EntryLeaf {
  const versions: readonly (string | number)[] = VERSIONS;
  const text = path.reduce<string>(
    (left, key) =>
      typeof key === "number"
        ? `${left}[]`
        : `${left}${left && "."}${versions.includes(key) ? "*" : key}`,
    "",
  );
  const row = ENTRY_LEAVES.find((leaf) => leaf.path === (text.startsWith(FREE) ? FREE : text));
  if (!row) throw new TypeError(`no row for ${text}`);
  return row;
}

const evidence = new WeakMap<JsonObject, ReturnType<typeof goodEvidence>>();
/** The files that support an entry, made once. */
function evidenceOf(entry: JsonObject): ReturnType<typeof goodEvidence> {
  const files = evidence.get(entry) ?? goodEvidence(entry);
  evidence.set(entry, files);
  return files;
}

/** Every code with which a changed entry is refused: by its registry, by both versions' observations, by its evidence. */
function codesWith(
  base: Base,
  changed: JsonObject,
  original: JsonObject,
): ReadonlySet<RefusalCode> {
  const parsed = parseRegistry(goodDocument({ entries: [changed], gates: "met" }).bytes);
  if (!parsed.ok) return new Set(codesOf(parsed.refusals));
  const verdicts = VERSIONS.map((version) =>
    admit(parsed.registry, goodWorld(base, version).observation, NOW),
  );
  const record = parsed.registry.integrations.get(textIn(changed["id"]));
  const files = evidenceOf(original);
  const mismatches =
    record?.status === "complete"
      ? judgeEvidence(record.entry, record.raw, (path) => files.get(path))
      : [];
  return new Set([
    ...verdicts.flatMap((verdict) => (verdict.admitted ? [] : codesOf(verdict.refusals))),
    ...codesOf(mismatches),
  ]);
}

const DIGEST = "0123456789abcdef".repeat(4);
/** Valid values that a leaf might hold instead, by its path in the table; the contract's form allows each of them. */
const OTHERS: Readonly<Record<string, readonly JsonValue[]>> = {
  id: ["memos"],
  kind: ["agent"],
  origin: ["first-party", "third-party"],
  deployment: ["local-reference", "local-development"],
  "protocol.name": ["a2a"],
  "protocol.versions[]": ["2025-03-26", "2025-06-18"],
  "owner.team": ["other-team", "eve-security"],
  "source.path": ["apps/other"],
  "source.package": ["@notes/server2"],
  "source.integrity": [`sha512-${"B".repeat(86)}==`],
  "source.version": ["1.4.1", "1.4.0-rc.1"],
  "source.artifacts[].path": ["dist/other.js", "dist/main.js", "dist/worker.js"],
  "transport.type": ["stdio", "streamable-http"],
  "transport.command": ["/usr/bin/node", "npx"],
  "transport.args[]": ["--loud"],
  "transport.env[]": ["AWS_SECRET"],
  "transport.url": ["https://notes.eve.example/other", "https://elsewhere.example/mcp"],
  riskClass: ["read", "write", "destructive"],
  "permissions[]": ["notes:admin"],
  "tools[].name": ["delete_all", "list_notes", "list-notes"],
  "tools[].riskClass": ["read", "write", "publish", "destructive"],
  "tools[].permissions[]": ["notes:read", "notes:write", "notes:publish", "notes:admin"],
  "credentials[].id": ["other-bearer", "notes-bearer"],
  "credentials[].env": ["OTHER_TOKEN"],
  "credentials[].scopes[]": ["notes:publish", "notes:admin"],
  "credentials[].destinations[]": ["https://metrics.eve.example", "https://elsewhere.example"],
  "configuration[].env": ["OTHER_URL"],
  "configuration[].required": [true, false],
  "destinations[].origin": ["https://elsewhere.example", "https://127.0.0.1"],
  "destinations[].dataClasses[]": ["passwords"],
  "textExceptions[].field": ["/tools/get_note/description", "/instructions"],
  "textExceptions[].codePoints[]": ["U+202E", "U+E0041"],
  "textExceptions[].reason": ["Nobody knows"],
  "lifecycle.state": ["quarantined", "revoked"],
  "health.status": ["unhealthy", "unknown"],
  "evaluation.status": ["failed", "pending"],
  "review.basis": ["generated"],
  "review.reviewer": ["other-team", "notes-team"],
  "health.evidence.path": [
    "evidence/notes/health/other.json",
    "evidence/other-notes/health/other.json",
  ],
  "evaluation.evidence.path": [
    "evidence/notes/evaluation/other.json",
    "evidence/other-notes/evaluation/other.json",
  ],
  "review.evidence.path": [
    "evidence/notes/review/other.json",
    "evidence/other-notes/review/other.json",
  ],
  [FREE]: [true, 1, "x"],
};

function othersOf(leaf: EntryLeaf, value: JsonValue): readonly JsonValue[] {
  const isDigest = typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  const others = OTHERS[leaf.path] ?? (isDigest ? [DIGEST, "0".repeat(64)] : []);
  return others.filter((other) => canonicalJson(other) !== canonicalJson(value));
}

const WORLDS = BASES.map((base) => ({
  name: `${base.origin} over ${base.transport}`,
  base,
  entry: goodWorld(base).entry,
}));
/** What one edit can do to a leaf: each valid other value, and where the list is a set, not one it already holds. */
const EDITS = WORLDS.flatMap(({ name, base, entry }) =>
  leavesOf(entry).flatMap(({ path, value }) => {
    const leaf = leafOf(path);
    const siblings =
      typeof path.at(-1) === "number" ? listIn(valueAt(entry, path.slice(0, -1))) : [];
    const others = othersOf(leaf, value).filter((other) => !siblings.includes(other));
    return leaf.kind === "bound"
      ? others.map((other) => ({
          name,
          path,
          leaf,
          other,
          codes: codesWith(base, withValue(entry, path, other), entry),
        }))
      : [];
  }),
);

/** Every bound leaf of the four good entries. */
const BOUND = WORLDS.flatMap(({ base, entry }) =>
  leavesOf(entry).flatMap(({ path }) =>
    leafOf(path).kind === "bound" ? [{ base, entry, path }] : [],
  ),
);

describe("any single changed bound leaf of an admitted entry is refused", () => {
  it("knows another valid value for each bound leaf", () => {
    const covered = new Set(EDITS.map(({ leaf }) => leaf.path));
    expect(ENTRY_LEAVES.filter(({ kind, path }) => kind === "bound" && !covered.has(path))).toEqual(
      [],
    );
    expect(EDITS.length).toBeGreaterThan(400);
  });

  it("with a code that the table of leaves names for it", () => {
    const wrong = EDITS.flatMap(({ name, path, leaf, other, codes }) => {
      return [leaf.code, ...leaf.others].some((code) => codes.has(code))
        ? []
        : [
            `${name}: ${pathText(path)} = ${JSON.stringify(other)}: ${[...codes].join(", ") || "ADMITTED"}`,
          ];
    });
    expect(wrong).toEqual([]);
  });

  it("and each code that the table names for a leaf is answered for it", () => {
    const answered = new Map<string, Set<RefusalCode>>(
      ENTRY_LEAVES.map(({ path }) => [path, new Set()]),
    );
    for (const { leaf, codes } of EDITS)
      for (const code of codes) answered.get(leaf.path)?.add(code);
    for (const [path, code] of LOCAL_EDITS) answered.get(path)?.add(code);
    const silent = ENTRY_LEAVES.filter(({ kind }) => kind === "bound").flatMap(
      ({ path, code, others }) =>
        [code, ...others]
          .filter((each) => !answered.get(path)?.has(each))
          .map((each) => `${path}: ${each}`),
    );
    expect(silent).toEqual([]);
  });

  it("whatever the new value is", () => {
    const place = fc.constantFrom(...BOUND);
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
      fc.stringMatching(/^[0-9a-f]{64}$/),
    );
    const next = fc.oneof(
      text,
      anyJson,
      fc.constantFrom(undefined, ...Object.values(OTHERS).flat()),
    );
    fc.assert(
      fc.property(place, next, ({ base, entry, path }, value) => {
        const old = valueAt(entry, path);
        fc.pre(value === undefined || canonicalJson(value) !== canonicalJson(old ?? null));
        expect(codesWith(base, withValue(entry, path, value), entry).size).toBeGreaterThan(0);
      }),
      { numRuns: 1500 },
    );
  });
});

/** Codes of leaves that only an entry of this machine alone can answer, shown with such an entry. */
const LOCAL_EDITS: readonly (readonly [path: string, code: RefusalCode])[] = [
  ["deployment", "review.subject_changed"],
  ["review.basis", "review.evidence_mismatch"],
];

describe("a local entry", () => {
  const origin = "http://127.0.0.1:8080";
  const changes: readonly (readonly [Path, JsonValue])[] = [
    [["deployment"], "local-reference"],
    [["destinations"], [{ origin, dataClasses: ["note"] }]],
    [["credentials", 0, "destinations"], [origin]],
    [["credentials", 1, "destinations"], [origin]],
  ];
  const entry = renewed(
    changes.reduce((left, [path, value]) => withValue(left, path, value), goodWorld().entry),
  );

  it("is admitted, and its evidence supports it", () => {
    expect([...codesWith({}, entry, entry)]).toEqual([]);
  });

  it.each([
    ["deployment", "local-development", "review.subject_changed"],
    ["deployment", "production", "entry.deployment_mismatch"],
  ])("whose %s becomes %s is refused: %s", (path, value, code) => {
    expect([...codesWith({}, withValue(entry, [path], value), entry)]).toContain(code);
  });

  it("that turns out to be generated is refused by its evidence: review.evidence_mismatch", () => {
    expect([...codesWith({}, withValue(entry, ["review", "basis"], "generated"), entry)]).toEqual([
      "review.evidence_mismatch",
    ]);
  });
});

describe("the other leaves", () => {
  it("that are descriptive change nothing at admission, and a running program admits again: entry.changed", () => {
    for (const { path } of ENTRY_LEAVES.filter(({ kind }) => kind === "descriptive")) {
      const world = goodWorld();
      const entry = withValue(world.entry, path.split("."), "something else");
      expect(refusalsOf({ ...world, entry })).toEqual([]);
      const parsed = parseRegistry(goodDocument({ entries: [entry] }).bytes);
      const verdict = parsed.ok
        ? admitToolCall(
            admissionOf(world),
            parsed.registry,
            goodCall("list_notes", hintsOf("read")),
            NOW,
          )
        : undefined;
      expect(verdict).toMatchObject({ admitted: false, refusals: [{ code: "entry.changed" }] });
    }
  });

  it("that are dated refuse at their limits, with each code the table names", () => {
    const moments: readonly string[] = [
      at(NOW + 1),
      at(NOW),
      at(NOW - 1),
      "2020-01-01T00:00:00Z",
      "2026-01-01T00:00:00Z",
      "2027-12-01T00:00:00Z",
      "9999-12-31T23:59:59Z",
    ];
    for (const { path, code, others } of ENTRY_LEAVES.filter(({ kind }) => kind === "dated")) {
      const { entry } = goodWorld();
      const answered = new Set(
        moments.flatMap((moment) => [
          ...codesWith({}, withValue(entry, path.split("."), moment), entry),
        ]),
      );
      const silent = [code, ...others].filter((each) => !answered.has(each));
      expect({ path, silent }).toEqual({ path, silent: [] });
    }
  });

  it("are judged by a rung that exists", () => {
    const rungs = [...GOVERNANCE_RUNGS, ...STANDING_RUNGS, protocol, ...SURFACE_RUNGS].map(
      ({ name }) => name,
    );
    const elsewhere = [
      "presence",
      "complete",
      "evidence (assemble, verify)",
      "call: entry unchanged",
    ];
    expect(ENTRY_LEAVES.filter(({ rung }) => ![...rungs, ...elsewhere].includes(rung))).toEqual([]);
  });
});

/** How a part was learnt decides only for what runs on this machine; elsewhere it is the admission's own account. */
function isAccount(base: Base, path: Path): boolean {
  return path.at(-1) === "how" && path[0] !== "surface" && base.transport === "streamable-http";
}

/** Another value of the same type. */
function near(value: JsonValue): JsonValue {
  if (typeof value === "string") return `${value} `;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : [value];
}

describe("any single changed leaf of an observation is refused", () => {
  const places = BASES.flatMap((base) =>
    VERSIONS.flatMap((version) => {
      const observation = asJson(goodWorld(base, version).observation);
      return leavesOf(observation).map(({ path, value }) => ({
        base,
        version,
        observation,
        path,
        value,
      }));
    }),
  );
  const registries = new Map(
    BASES.map((base) => [JSON.stringify(base), registryOf(goodWorld(base))]),
  );
  const good = registryOf(goodWorld());
  const judge = (base: Base, observation: JsonObject): readonly RefusalCode[] => {
    const verdict = admit(registries.get(JSON.stringify(base)) ?? good, observed(observation), NOW);
    return verdict.admitted ? [] : codesOf(verdict.refusals);
  };

  it("has more than a thousand leaves to change", () => {
    expect(places.length).toBeGreaterThan(1000);
  });

  it("each of them, removed or replaced by a near value", () => {
    const admitted = places.flatMap(({ base, observation, path, value }) => {
      if (isAccount(base, path)) return [];
      return [
        withValue(observation, path, undefined),
        withValue(observation, path, near(value)),
      ].flatMap((changed) => (judge(base, changed).length === 0 ? [pathText(path)] : []));
    });
    expect(admitted).toEqual([]);
  });

  it("whatever the new value is", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(fc.string(), anyJson),
        ({ base, observation, path, value }, next) => {
          fc.pre(!isAccount(base, path) && canonicalJson(next) !== canonicalJson(value));
          expect(judge(base, withValue(observation, path, next)).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("and any field more in an object of the surface (SS-16)", () => {
    const surface = objectIn(asJson(goodWorld().observation)["surface"]);
    const objects = leavesOf(surface["value"] ?? null)
      .map(({ path }) => path.slice(0, -1))
      .filter((path) => path.length > 0 && path.at(-1) !== undefined);
    const admitted = objects.filter((path) => {
      const changed = withChange(
        asJson(goodWorld().observation),
        ["surface", "value", ...path],
        (old) => (Array.isArray(old) ? [...listIn(old), "more"] : { ...objectIn(old), more: null }),
      );
      return judge({}, changed).length === 0;
    });
    expect(objects.length).toBeGreaterThan(50);
    expect(admitted).toEqual([]);
  });

  it("an integration of another name: entry.absent", () => {
    expect(judge({}, withValue(asJson(goodWorld().observation), ["integration"], "memos"))).toEqual(
      ["entry.absent"],
    );
  });

  it("a provenance that is neither measured nor attested: source.unmeasured", () => {
    for (const base of BASES)
      for (const part of ["source", "version", "transport"])
        expect(
          judge(base, withValue(asJson(goodWorld(base).observation), [part, "how"], "believed")),
        ).toEqual(["source.unmeasured"]);
  });
});
