import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import { parseEntry } from "@eve/registry-schema";
import { goodSurface, textIn, valueAt, withValue } from "@eve/test-kit";
import { draftedRegistry, installPackage } from "../packages.ts";
import { codesOf, run, runJson } from "../run.ts";
import {
  build,
  digestsOf,
  editSource,
  objectAt,
  put,
  removeFolders,
  reviewedWorkspace,
  setInEntry,
} from "../scratch.ts";
import { serverScript, surfacesWith, surfacesWithTool } from "../server-script.ts";

afterEach(removeFolders);

describe("measuring a first-party entry", () => {
  test("prints its members, says that they are as pinned, and writes nothing", async () => {
    const root = await reviewedWorkspace();
    const before = digestsOf(join(root, "registry"));
    const { code, out, err } = await run(root, ["measure", "notes"]);
    expect([code, err]).toEqual([0, ""]);
    const [verdict, ...members] = out.split("\n");
    expect(verdict).toBe("notes: as pinned");
    const entry = objectAt(root, "registry/integrations/notes.json");
    const { source, tools, surface } = entry;
    expect(JSON.parse(members.join("\n"))).toEqual({ source, tools, surface });
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });

  test.each([
    [
      "another description",
      ["tools"],
      (root: string) => {
        const surfaces = surfacesWithTool("get_note", (tool) => ({
          ...tool,
          description: "Other.",
        }));
        build(root, serverScript(), serverScript({ surfaces }));
      },
    ],
    [
      "another program",
      ["source"],
      (root: string) => {
        build(root, `// rebuilt\n${serverScript()}`, serverScript());
      },
    ],
    [
      "other instructions",
      ["surface"],
      (root: string) => {
        build(
          root,
          serverScript(),
          serverScript({ surfaces: surfacesWith((one) => ({ ...one, instructions: "Other." })) }),
        );
      },
    ],
  ])("names the members that differ: %s", async (_title, changed, change) => {
    const root = await reviewedWorkspace();
    change(root);
    const { code, json } = await runJson(root, ["measure", "notes"]);
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, id: "notes", changed });
  });

  test("refuses a build that is older than its source, and names the file: exit 2", async () => {
    const root = await reviewedWorkspace();
    editSource(root);
    const { code, err } = await run(root, ["measure", "notes"]);
    expect(code).toBe(2);
    expect(err).toBe(
      "The build is older than its source (apps/notes/src/main.ts). Run npm run build.\n",
    );
  });

  test("refuses a description that differs between versions: exit 2", async () => {
    const root = await reviewedWorkspace();
    const surfaces = surfacesWithTool("get_note", (tool) =>
      "icons" in tool ? { ...tool, description: "SERVER TEXT" } : tool,
    );
    build(root, serverScript(), serverScript({ surfaces }));
    const { code, err } = await run(root, ["measure", "notes"]);
    expect(code).toBe(2);
    expect(err).toContain("Tool get_note shows another description in another protocol version");
  });

  test("never takes an empty list for a surface: surface.empty", async () => {
    const root = await reviewedWorkspace();
    const empty = serverScript({ surfaces: surfacesWith((one) => ({ ...one, tools: [] })) });
    build(root, serverScript(), empty);
    const result = await runJson(root, ["measure", "notes"]);
    expect([result.code, codesOf(result)]).toEqual([78, ["surface.empty"]]);
  });

  test("shows what a person may act on, and nothing the server said: surface.unavailable", async () => {
    const root = await reviewedWorkspace();
    const broken = serverScript().replaceAll('"tools/list": "tools",', "");
    build(root, serverScript(), broken);
    const { code, out, err } = await run(root, ["measure", "notes"]);
    expect([code, out]).toEqual([78, ""]);
    expect(err).toMatch(/^✗ surface\.unavailable {2}/);
    expect(err).toContain("notes: tools/list: expected");
    expect(err).toContain("→ Start the server by hand");
    expect(err).not.toContain("SERVER TEXT");
  });

  test("of an app that was never built: exit 2", async () => {
    const root = await reviewedWorkspace();
    setInEntry(root, ["source", "path"], "apps/other");
    const { code, err } = await run(root, ["measure", "notes"]);
    expect(code).toBe(2);
    expect(err).toContain("Run npm run build.");
  });

  test("of an entry that is not there: exit 2, with the ids there are", async () => {
    const { code, err } = await run(await reviewedWorkspace(), ["measure", "other"]);
    expect([code, err]).toEqual([2, 'No entry "other" in the registry. It has: notes.\n']);
  });

  test("takes no flag of a package: exit 2", async () => {
    const { code, err } = await run(await reviewedWorkspace(), ["measure", "notes", "--bin", "x"]);
    expect(code).toBe(2);
    expect(err).toContain("--bin: only with --package");
  });
});

describe("measuring a third party's entry", () => {
  test("never starts its program without --spawn (D10): exit 2", async () => {
    const { root, marker } = await draftedRegistry();
    const { code, err } = await run(root, ["measure", "other-notes"]);
    expect(code).toBe(2);
    expect(err).toContain("Add --spawn to run: node main.js in ");
    expect(marker.exists()).toBe(false);
  });

  test("measures it with --spawn; its folder may be named from here", async () => {
    const { root, marker } = await draftedRegistry();
    const { json } = await runJson(root, ["measure", "other-notes", "--spawn"]);
    expect(json).toMatchObject({ ok: true, id: "other-notes" });
    expect(marker.exists()).toBe(true);
    const measured = json["measured"];
    // The program of a second installation writes another marker, so its source differs and nothing else.
    expect(json["changed"]).toEqual(["source"]);
    expect(measured).toMatchObject({ source: { package: "@notes/server", version: "2.1.0" } });
    const away = ["measure", "other-notes", "--spawn", "--registry", `${root}/registry`];
    const { code } = await run(join(root, ".."), [...away, "--packages", root]);
    expect(code).toBe(0);
  });

  test("says where it looked for a package that is not installed: exit 2", async () => {
    const { root } = await draftedRegistry();
    const argv = ["measure", "other-notes", "--spawn", "--packages", "/"];
    const { code, err } = await run(root, argv);
    expect(code).toBe(2);
    expect(err).toContain("@notes/server is not installed in / or above it");
  });

  test("starts nothing but what node runs: exit 2", async () => {
    const { root, marker } = await draftedRegistry();
    const file = "registry/integrations/other-notes.json";
    const changed = withValue(objectAt(root, file), ["transport", "command"], "python3");
    put(root, file, JSON.stringify(changed));
    const { code, err } = await run(root, ["measure", "other-notes", "--spawn"]);
    expect(code).toBe(2);
    expect(err).toContain("only stdio programs that node runs");
    expect(marker.exists()).toBe(false);
  });

  test("is not renewed: exit 2, and --all leaves it alone", async () => {
    const { root, marker } = await draftedRegistry();
    const before = digestsOf(join(root, "registry"));
    const one = await run(root, ["renew", "other-notes", "--reason", "Try"]);
    expect([one.code, one.err]).toEqual([
      2,
      "other-notes is a third party's: its source is not in this repository, so nothing here builds or renews it.\n",
    ]);
    const all = await run(root, ["renew", "--all", "--reason", "Try"]);
    expect([all.code, all.out]).toEqual([
      0,
      "- other-notes: a third party's, left alone\nNothing was written.\n",
    ]);
    expect(marker.exists()).toBe(false);
    expect(digestsOf(join(root, "registry"))).toEqual(before);
  });
});

const argv = (...flags: string[]): readonly string[] => [
  "measure",
  "other-notes",
  "--package",
  "@notes/server",
  ...flags,
];

describe("measuring a package that has no entry", () => {
  test("never starts its program without --spawn (D10): exit 2", async () => {
    const { folder, marker } = installPackage();
    const { code, out, err } = await run(folder, argv());
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Add --spawn to run: node main.js in ");
    expect(marker.exists()).toBe(false);
  });

  test("drafts an entry that parses, prints it, and writes nothing", async () => {
    const { folder, marker } = installPackage();
    const before = digestsOf(folder);
    const { code, out, err } = await run(folder, argv("--spawn"));
    expect([code, err]).toEqual([0, ""]);
    const entry: Parameters<typeof parseEntry>[0] = JSON.parse(out);
    expect(parseEntry(entry, "other-notes")).toMatchObject({ ok: true });
    expect(entry).toMatchObject({ origin: "third-party", deployment: "local-development" });
    expect(valueAt(entry, ["protocol", "versions"])).toEqual(["2025-11-25", "2026-07-28"]);
    expect(marker.exists()).toBe(true);
    expect(digestsOf(folder)).toEqual(before);
  });

  test("drafts, together with the evidence it prints as JSON, what assembles", async () => {
    const { folder } = installPackage();
    const { json } = await runJson(folder, argv("--spawn"));
    const { root } = await draftedRegistry();
    put(root, "registry/integrations/other-notes.json", JSON.stringify(json["draft"]));
    for (const { path, text } of json.files ?? []) put(root, `registry/${path}`, text);
    const { code, err } = await run(root, ["assemble", "--to", "out"]);
    expect([code, err]).toEqual([0, ""]);
  });

  test("hands the program its arguments and the variables named, and no other", async () => {
    const { folder, marker } = installPackage();
    const flags = ["--arg", "--quiet", "--arg=--json", "--env", "NOTES_URL", "--spawn"];
    const env = { NOTES_URL: "https://notes.eve.example", NOTES_TOKEN: "secret" };
    const { code, out } = await run(folder, argv(...flags), { env });
    expect(code).toBe(0);
    const entry: Parameters<typeof parseEntry>[0] = JSON.parse(out);
    expect(valueAt(entry, ["transport", "args"])).toEqual(["main.js", "--quiet", "--json"]);
    expect(valueAt(entry, ["configuration"])).toEqual([{ env: "NOTES_URL", required: true }]);
    expect(marker.exists()).toBe(true);
    expect(marker.text()).toBe('{"NOTES_URL":"https://notes.eve.example"}--quiet --json');
  });

  test("never drafts from an empty list (D12): surface.empty", async () => {
    const { folder } = installPackage(surfacesWith((one) => ({ ...one, tools: [] })));
    const result = await runJson(folder, argv("--spawn"));
    expect([result.code, codesOf(result)]).toEqual([78, ["surface.empty"]]);
  });

  test("tells the cause, not that other versions are not spoken: surface.empty", async () => {
    const { folder } = installPackage([{ ...goodSurface("2025-11-25"), tools: [] }]);
    expect(codesOf(await runJson(folder, argv("--spawn")))).toEqual(["surface.empty"]);
  });

  test("drafts only the versions that show tools", async () => {
    const surfaces = [goodSurface("2025-11-25"), { ...goodSurface("2026-07-28"), tools: [] }];
    const { folder } = installPackage(surfaces);
    const { json } = await runJson(folder, argv("--spawn"));
    expect(json["draft"]).toMatchObject({ protocol: { versions: ["2025-11-25"] } });
  });

  test.each([
    [
      "a name that the contract cannot hold: registry.field_invalid",
      { name: "SERVER TEXT é", inputSchema: { type: "object" } },
    ],
    ["no name: registry.field_invalid", { inputSchema: { type: "object" } }],
    [
      "a name that folds into another: registry.id_collision",
      { name: "get-note", inputSchema: { type: "object" } },
    ],
    [
      "a name listed twice: surface.duplicate_tool",
      { name: "get_note", inputSchema: { type: "object" } },
    ],
  ])("refuses %s", async (title, tool) => {
    const { folder } = installPackage(
      surfacesWith((one) => ({ ...one, tools: [...one.tools, tool] })),
    );
    const result = await runJson(folder, argv("--spawn"));
    expect(result.code).toBe(78);
    expect(new Set(codesOf(result))).toEqual(new Set([title.split(": ")[1]]));
    expect(JSON.stringify(result.json)).not.toContain("SERVER TEXT");
  });

  test("refuses an id that the contract cannot hold: registry.field_invalid", async () => {
    const { folder } = installPackage();
    const words = ["measure", "Other Notes", "--package", "@notes/server", "--spawn"];
    expect(codesOf(await runJson(folder, words))).toContain("registry.field_invalid");
  });

  test("refuses a package of which nothing recorded the integrity: exit 2", async () => {
    const { folder, marker } = installPackage();
    put(folder, "node_modules/.package-lock.json", "{}");
    const { code, err } = await run(folder, argv("--spawn"));
    expect(code).toBe(2);
    expect(err).toContain("Nothing recorded the integrity of @notes/server");
    expect(marker.exists()).toBe(false);
  });

  test.each([
    ["without a command", { bin: {} }, [], "no command"],
    [
      "with two, none named",
      { bin: { a: "a.js", b: "b.js" } },
      [],
      "installs a, b. Name one: --bin NAME.",
    ],
    [
      "with a command of an inherited name",
      { bin: { a: "a.js" } },
      ["--bin", "constructor"],
      "Name one",
    ],
  ])("refuses a package %s: exit 2", async (_title, manifest, flags, message) => {
    const { folder } = installPackage(undefined, manifest);
    const { code, err } = await run(folder, argv("--spawn", ...flags));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test("takes the one command named", async () => {
    const { folder } = installPackage(undefined, { bin: { a: "gone.js", b: "main.js" } });
    expect((await run(folder, argv("--spawn", "--bin", "b"))).code).toBe(0);
  });

  test.each([["[]"], ["{"], ["null"], ['{"a":1,"a":2}']])(
    "refuses capabilities that are no object: %s, exit 2",
    async (capabilities) => {
      const { folder } = installPackage();
      const { code, err } = await run(folder, argv("--spawn", "--capabilities", capabilities));
      expect(code).toBe(2);
      expect(err).toContain("--capabilities takes a JSON object");
    },
  );

  test("declares the capabilities it was told", async () => {
    const { folder } = installPackage();
    const flags = ["--spawn", "--capabilities", '{"roots":{}}'];
    const { json } = await runJson(folder, argv(...flags));
    expect(json["draft"]).toMatchObject({
      surface: { observedWith: { clientCapabilities: { roots: {} } } },
    });
  });
});

const FIELD = "/tools/list_notes/description";
const hiding = (): string =>
  installPackage(
    surfacesWithTool("list_notes", (tool) => ({
      ...tool,
      description: `${textIn(tool["description"])}\u200b`,
    })),
  ).folder;
const measure = (folder: string, ...allow: readonly string[]): ReturnType<typeof runJson> =>
  runJson(folder, argv("--spawn", ...allow.flatMap((one) => ["--allow", one])));

describe("a package whose texts hide something (ST-13)", () => {
  test("is not pinned without a word: surface.text_unsafe", async () => {
    const result = await measure(hiding());
    expect(result.code).toBe(78);
    expect(new Set(codesOf(result))).toEqual(new Set(["surface.text_unsafe"]));
    expect(result.json.refusals[0]).toMatchObject({ subject: FIELD, actual: "U+200B" });
  });

  test("is drafted where a person names the field and the code points, and the draft says so", async () => {
    const { code, json } = await measure(hiding(), `${FIELD}=U+200B,U+200C`);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      draft: { textExceptions: [{ field: FIELD, codePoints: ["U+200B", "U+200C"] }] },
    });
  });

  test.each([
    ["another field", "/tools/get_note/description=U+200B"],
    ["another code point", `${FIELD}=U+200C`],
  ])("is not drafted for %s: surface.text_unsafe", async (_, allow) => {
    expect(codesOf(await measure(hiding(), allow))[0]).toBe("surface.text_unsafe");
  });

  test.each(["U+200B", `${FIELD}=`, `${FIELD}=200B`, `${FIELD}=*`])(
    "takes no %s for an exception: exit 2",
    async (allow) => {
      expect((await measure(hiding(), allow)).code).toBe(2);
    },
  );
});

describe("a package whose icons or links a client would run (SM-07)", () => {
  test.each<[string, JsonObject]>([
    ["surface.icon_unsafe", { icons: [{ src: "javascript:alert(1)" }] }],
    ["surface.icon_unsafe", { icons: [{ src: "http://icons.example/a.png" }] }],
    ["surface.icon_unsafe", { icons: [{ src: "data:image/svg+xml,<svg onload='a()'/>" }] }],
    ["surface.link_unsafe", { _meta: { homeUrl: "javascript:alert(1)" } }],
  ])("is not drafted: %s", async (code, members) => {
    const { folder } = installPackage(
      surfacesWithTool("list_notes", (tool) => ({ ...tool, ...members })),
    );
    const result = await measure(folder);
    expect([result.code, new Set(codesOf(result))]).toEqual([78, new Set([code])]);
  });
});
