import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import { CATALOGUE, type RefusalCode } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";
import { measureSurfaces, type OwnRepository, ownRepository } from "../src/evidenced-registry.ts";
import { objectsAt, parseObject, textAt } from "../src/json.ts";
import { type Place, runRegistryCli } from "../src/registry-cli.ts";
import { replaceOnce } from "../src/rows/row.ts";
import type { Ended } from "../src/run.ts";
import { goodWorkbench, temporaryFolder } from "../src/trial.ts";

const NOW = Date.now();
const good = goodWorkbench(NOW);
const surfaces = await measureSurfaces(good);

/** Everything a command with `--json` may write to stdout: one value and a line end. */
function jsonOf({ stdout }: Ended): JsonObject {
  expect(stdout.endsWith("\n") && stdout.indexOf("\n") === stdout.length - 1).toBe(true);
  return parseObject(stdout);
}

function firstRefusal(ended: Ended): JsonObject {
  const [first] = objectsAt(jsonOf(ended), "refusals");
  if (!first) throw new Error(`no refusal: ${ended.stdout}${ended.stderr}`);
  return first;
}

function firstCode(ended: Ended): unknown {
  return objectsAt(jsonOf(ended), "refusals")[0]?.["code"];
}

/** A machine whose programs left their notes under `state`. */
function machine(state: string): Place {
  return { cwd: state, env: { PATH: process.env["PATH"] ?? "", XDG_STATE_HOME: state } };
}

/** Replaces a file by a changed one. */
function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(file, change(text));
}

/** Moves what is at a path out of the registry and leaves a link to it there. */
function moveBehindLink(path: string): void {
  const outside = join(temporaryFolder(), "outside");
  renameSync(path, outside);
  symlinkSync(outside, path);
}

async function assembled(): Promise<OwnRepository> {
  const own = ownRepository(good, surfaces, NOW);
  const ended = await runRegistryCli(["assemble", "--to", own.dist, "--json"], { cwd: own.root });
  expect(jsonOf(ended)).toMatchObject({ ok: true });
  return own;
}

describe.concurrent("assemble", () => {
  test("writes the document that it tells of, and exits 0", async () => {
    const { root } = ownRepository(good, surfaces, NOW);
    const to = join(temporaryFolder(), "new", "folder");
    const ended = await runRegistryCli(["assemble", "--to", to, "--json"], { cwd: root });
    const file = join(to, "registry.json");
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toEqual({
      ok: true,
      file,
      sequence: good.document["sequence"],
      integrations: ["oshun-workbench"],
      sha256: sha256(readFileSync(file)),
      refusals: [],
    });
  });

  /** What is wrong with a registry's files, and the place that the refusal must name. */
  const FAULTS: readonly {
    what: string;
    code: RefusalCode;
    subject: string;
    break: (own: OwnRepository) => void;
  }[] = [
    {
      what: "a comma missing in an entry",
      code: "registry.unparseable",
      subject: "integrations/oshun-workbench.json, line 3, column 3",
      break: ({ entry }) =>
        edit(entry, replaceOnce('"id": "oshun-workbench",', '"id": "oshun-workbench"')),
    },
    {
      what: "RB-10 a key twice in the manifest",
      code: "registry.duplicate_key",
      subject: "registry.json, line 2, column ",
      break: ({ registry }) =>
        edit(join(registry, "registry.json"), (text) =>
          text.replace("{\n", '{\n  "sequence": 1, "sequence": 2,\n'),
        ),
    },
    {
      what: "a field that nobody knows",
      code: "registry.unknown_field",
      subject: "trusted",
      break: ({ entry }) => edit(entry, (text) => text.replace("{\n", '{\n  "trusted": true,\n')),
    },
    {
      what: "a lifecycle that nobody knows",
      code: "lifecycle.unknown",
      subject: "lifecycle.state",
      break: ({ entry }) => edit(entry, replaceOnce('"state": "active"', '"state": "retired"')),
    },
    {
      what: "an entry under another file's name",
      code: "registry.field_invalid",
      subject: "integrations/another.json: id",
      break: ({ registry, entry }) => (
        writeFileSync(join(registry, "integrations/another.json"), readFileSync(entry)),
        rmSync(entry)
      ),
    },
    {
      what: "no manifest",
      code: "registry.missing",
      subject: "registry.json",
      break: ({ registry }) => rmSync(join(registry, "registry.json")),
    },
    {
      what: "RT-17 a health extended without a probe",
      code: "health.evidence_mismatch",
      subject: "",
      break: ({ registry }) =>
        appendFileSync(join(registry, "evidence/oshun-workbench/health/report.json"), "\n"),
    },
    {
      what: "RP-04 evidence in a folder that is a link",
      code: "health.evidence_mismatch",
      subject: "",
      break: ({ registry }) => moveBehindLink(join(registry, "evidence/oshun-workbench/health")),
    },
    {
      what: "RP-05 an entry that is a link",
      code: "registry.unreadable",
      subject: "integrations/oshun-workbench.json",
      break: ({ entry }) => moveBehindLink(entry),
    },
    {
      what: "RP-07 evidence under another spelling of its name",
      code: "source.path_invalid",
      subject: "health.evidence.path",
      break: ({ entry }) => edit(entry, replaceOnce("/health/report", "/health/re\u0301port")),
    },
    {
      what: "a review whose report is gone",
      code: "review.evidence_mismatch",
      subject: "",
      break: ({ registry }) =>
        rmSync(join(registry, "evidence/oshun-workbench/review/report.json")),
    },
  ];

  test.for(FAULTS)(
    "leaves the target as it was, names the place and exits 78 for $what: $code",
    async ({ code, subject, break: spoil }) => {
      const own = ownRepository(good, surfaces, NOW);
      spoil(own);
      const to = temporaryFolder();
      writeFileSync(join(to, "registry.json"), "as it was");
      const args = ["assemble", "--registry", own.registry, "--to", to, "--json"];
      const ended = await runRegistryCli(args, { cwd: own.root });
      expect(ended.code).toBe(78);
      const first = firstRefusal(ended);
      expect(first).toMatchObject({ code, remedy: CATALOGUE[code].remedy });
      expect(textAt(first, "subject")).toContain(subject);
      expect(readdirSync(to)).toEqual(["registry.json"]);
      expect(readFileSync(join(to, "registry.json"), "utf8")).toBe("as it was");
    },
  );

  test("tells people the same on stderr: registry.unparseable", async () => {
    const own = ownRepository(good, surfaces, NOW);
    edit(own.entry, replaceOnce('"id": "oshun-workbench",', '"id": "oshun-workbench"'));
    const ended = await runRegistryCli(["assemble", "--to", own.dist], { cwd: own.root });
    expect([ended.code, ended.stdout]).toEqual([78, ""]);
    for (const part of [
      "registry.unparseable",
      "integrations/oshun-workbench.json, line 3, column 3",
      CATALOGUE["registry.unparseable"].remedy,
    ])
      expect(ended.stderr).toContain(part);
  });
});

describe.concurrent("measure", () => {
  test("finds the present build as it is pinned, writes nothing, and exits 0", async () => {
    const own = ownRepository(good, surfaces, NOW);
    const before = readdirSync(own.registry, { recursive: true });
    const ended = await runRegistryCli(["measure", "oshun-workbench", "--json"], { cwd: own.root });
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toMatchObject({ ok: true, id: "oshun-workbench", changed: [] });
    expect(readdirSync(own.registry, { recursive: true })).toEqual(before);
  });

  test("names the ids there are for one there is not, and exits 2", async () => {
    const { root } = ownRepository(good, surfaces, NOW);
    const ended = await runRegistryCli(["measure", "workbench", "--json"], { cwd: root });
    expect(ended.code).toBe(2);
    expect(jsonOf(ended)).toMatchObject({ ok: false, error: { code: "usage" } });
    expect(ended.stdout).toContain("oshun-workbench");
  });
});

describe.concurrent("verify", () => {
  test("finds an assembled registry fresh, live too, and exits 0", async () => {
    const own = await assembled();
    const ended = await runRegistryCli(["verify", "--live", "--json"], { cwd: own.root });
    expect([ended.code, firstCode(ended)]).toEqual([0, undefined]);
    expect(jsonOf(ended)).toMatchObject({
      ok: true,
      entries: [{ id: "oshun-workbench", fresh: true }],
    });
  });

  const STALE: readonly { what: string; code: RefusalCode; break: (own: OwnRepository) => void }[] =
    [
      {
        what: "another program than the entry pins",
        code: "artifact.changed",
        break: ({ dist }) => appendFileSync(join(dist, "main.js"), "\n"),
      },
      {
        what: "a source that changed since the build",
        code: "source.changed",
        break: ({ root }) => appendFileSync(join(root, "apps/workbench-mcp/src/identity.ts"), "\n"),
      },
      {
        what: "no registry beside the program",
        code: "registry.rollback",
        break: ({ dist }) => rmSync(join(dist, "registry.json")),
      },
      {
        what: "another registry beside the program",
        code: "registry.rollback",
        break: ({ dist }) => appendFileSync(join(dist, "registry.json"), "\n"),
      },
      {
        what: "a quarantine",
        code: "lifecycle.quarantined",
        break: ({ entry }) =>
          edit(entry, replaceOnce('"state": "active"', '"state": "quarantined"')),
      },
    ];

  test.for(STALE)("exits 78 for $what: $code", async ({ code, break: spoil }) => {
    const own = await assembled();
    spoil(own);
    const ended = await runRegistryCli(["verify", "--json"], { cwd: own.root });
    expect([ended.code, firstCode(ended)]).toEqual([78, code]);
  });
});

describe.concurrent("explain", () => {
  const codes = ["surface.description_drift", "registry.missing", "workbench.unavailable"] as const;

  test.for(codes)("tells what the catalogue says, and exits 0: %s", async (code) => {
    const ended = await runRegistryCli(["explain", code, "--json"], { cwd: temporaryFolder() });
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toEqual({ ok: true, code, ...CATALOGUE[code], refusals: [] });
  });

  test("suggests codes for one that does not exist, and exits 2", async () => {
    const cwd = temporaryFolder();
    const inGroup = await runRegistryCli(["explain", "health.expird", "--json"], { cwd });
    expect(inGroup.code).toBe(2);
    expect(jsonOf(inGroup)).toMatchObject({ ok: false, error: { code: "usage" } });
    expect(inGroup.stdout).toContain("health.expired");
    const short = await runRegistryCli(["explain", "revoked"], { cwd });
    expect([short.code, short.stdout]).toEqual([2, ""]);
    expect(short.stderr).toContain("lifecycle.revoked");
  });
});

describe.concurrent("doctor", () => {
  test("finds nothing where nothing was refused, and exits 0", async () => {
    const ended = await runRegistryCli(["doctor", "--json"], machine(temporaryFolder()));
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toMatchObject({ ok: true, notes: [] });
  });

  test("tells nothing of a note that is not what a program leaves, and exits 0", async () => {
    const state = temporaryFolder();
    const folder = join(state, "eve", "last-refusal");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "oshun-workbench.json"), '{"at":"\u001b[2J","codes":["\u001b[2J"]}');
    const ended = await runRegistryCli(["doctor"], machine(state));
    expect(ended.code).toBe(0);
    expect(ended.stdout).not.toContain("\u001b");
  });
});

describe.concurrent("usage", () => {
  const WRONG: readonly (readonly string[])[] = [
    ["assemble"],
    ["no-such-command"],
    ["renew"],
    ["verify", "--no-such-option"],
    ["verify", "--registry"],
  ];

  test.for(WRONG.map((args) => ({ args, line: args.join(" ") })))(
    "exits 2 for `$line`, on stderr alone",
    async ({ args }) => {
      const { root } = ownRepository(good, surfaces, NOW);
      const ended = await runRegistryCli(args, { cwd: root });
      expect([ended.code, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).not.toBe("");
    },
  );

  test("exits 2 where no registry is, and says how to name one", async () => {
    const ended = await runRegistryCli(["verify", "--json"], { cwd: temporaryFolder() });
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain("--registry");
  });
});
