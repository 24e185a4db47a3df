import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isSha256 } from "@eve/canonical-json";
import { afterAll, describe, expect, it } from "vitest";
import { MeasuringError, observeInstalledPackage } from "../src/index.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true })));

/** Files by path; a value that is no text is a package.json, `-> x` a symlink to x. */
type Tree = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

/** Makes the tree in a folder of its own. */
function plant(tree: Tree): string {
  const root = mkdtempSync(join(tmpdir(), "eve-package-"));
  made.push(root);
  for (const [path, content] of Object.entries(tree)) {
    const isPackage = typeof content !== "string";
    const file = join(root, path, isPackage ? "package.json" : "");
    mkdirSync(dirname(file), { recursive: true });
    if (isPackage) writeFileSync(file, JSON.stringify(content));
    else if (content.startsWith("-> ")) symlinkSync(content.slice(3), file);
    else writeFileSync(file, content);
  }
  return root;
}

async function digestOf(tree: Tree, at = "node_modules/app"): Promise<string> {
  return (await observeInstalledPackage(join(plant(tree), at))).sha256;
}

async function packagesOf(tree: Tree): Promise<readonly string[]> {
  const { packages } = await observeInstalledPackage(join(plant(tree), "node_modules/app"));
  return packages.map((one) => one.package);
}

async function codeOf(tree: Tree): Promise<string> {
  return observeInstalledPackage(join(plant(tree), "node_modules/app")).then(
    () => "measured",
    (error: unknown) => (error instanceof MeasuringError ? error.code : "another error"),
  );
}

async function integrityOf(tree: Tree): Promise<string | undefined> {
  return (await observeInstalledPackage(join(plant(tree), "node_modules/app"))).integrity;
}

const app = {
  name: "app",
  version: "1.0.0",
  dependencies: { "@x/lib": "*" },
  peerDependencies: { peer: "*" },
};
const lib = { name: "@x/lib", version: "2.0.0", dependencies: { app: "*", leaf: "^3.0.0" } };
const leaf = { name: "leaf", version: "3.0.0" };

/** As npm installs: flat. */
const flat = {
  "node_modules/app": app,
  "node_modules/app/dist/main.js": "main",
  "node_modules/@x/lib": lib,
  "node_modules/leaf": leaf,
  "node_modules/leaf/index.js": "leaf",
} as const;

/** As pnpm installs: each package beside links to what it needs. */
const linked = {
  "node_modules/app": "-> .pnpm/app@1.0.0/node_modules/app",
  "node_modules/.pnpm/app@1.0.0/node_modules/app": app,
  "node_modules/.pnpm/app@1.0.0/node_modules/app/dist/main.js": "main",
  "node_modules/.pnpm/app@1.0.0/node_modules/app/node_modules/.bin/x": "-> ../../../x",
  "node_modules/.pnpm/app@1.0.0/node_modules/@x/lib":
    "-> ../../../@x+lib@2.0.0/node_modules/@x/lib",
  "node_modules/.pnpm/@x+lib@2.0.0/node_modules/@x/lib": lib,
  "node_modules/.pnpm/@x+lib@2.0.0/node_modules/app": "-> ../../app@1.0.0/node_modules/app",
  "node_modules/.pnpm/@x+lib@2.0.0/node_modules/leaf": "-> ../../leaf@3.0.0/node_modules/leaf",
  "node_modules/.pnpm/leaf@3.0.0/node_modules/leaf": leaf,
  "node_modules/.pnpm/leaf@3.0.0/node_modules/leaf/index.js": "leaf",
} as const;

describe("an installed package's closure", () => {
  it("is every package it loads, each once, cycles too", async () => {
    expect(await packagesOf(flat)).toEqual(["@x/lib@2.0.0", "app@1.0.0", "leaf@3.0.0"]);
  });

  it("has one digest in npm's flat and in pnpm's linked layout", async () => {
    const digest = await digestOf(flat);
    expect(isSha256(digest)).toBe(true);
    expect(await digestOf(linked)).toBe(digest);
  });

  it.each([
    ["a changed byte of a dependency's dependency", { "node_modules/leaf/index.js": "leaF" }],
    ["a file more", { "node_modules/leaf/more.js": "" }],
    [
      "a file in a node_modules that is not the package's own",
      { "node_modules/leaf/lib/node_modules/y/index.js": "" },
    ],
    ["another version", { "node_modules/leaf": { ...leaf, version: "3.0.1" } }],
    ["a peer that is installed", { "node_modules/peer": { name: "peer", version: "1.0.0" } }],
    ["a nearer copy that differs", { "node_modules/@x/lib/node_modules/leaf": leaf }],
    [
      "a file renamed",
      { "node_modules/app/dist/main.js": "x", "node_modules/app/dist/main.cjs": "main" },
    ],
  ])("has another digest for %s", async (_, change) => {
    expect(await digestOf({ ...flat, ...change })).not.toBe(await digestOf(flat));
  });

  it.each([
    ["packages that nothing needs", { "node_modules/other": { name: "other", version: "1.0.0" } }],
    ["where its folder is", { unrelated: "file" }],
    [
      "what its own node_modules holds beside packages",
      { "node_modules/app/node_modules/.cache/x": "x" },
    ],
    ["an optional dependency that is not installed", {}],
  ])("does not depend on %s", async (_, change) => {
    expect(await digestOf({ ...flat, ...change })).toBe(await digestOf(flat));
  });

  it("takes the nearest copy, and keeps two versions apart", async () => {
    const old = { name: "leaf", version: "1.0.0" };
    const tree = {
      ...flat,
      "node_modules/app": { ...app, dependencies: { "@x/lib": "*", leaf: "1" } },
      "node_modules/app/node_modules/leaf": old,
    };
    expect(await packagesOf(tree)).toEqual([
      "@x/lib@2.0.0",
      "app@1.0.0",
      "leaf@1.0.0",
      "leaf@3.0.0",
    ]);
  });

  it("counts an optional dependency where it is installed, under both names npm gives it", async () => {
    const optional = {
      name: "app",
      version: "1.0.0",
      dependencies: { o: "*" },
      optionalDependencies: { o: "*" },
    };
    expect(await packagesOf({ "node_modules/app": optional })).toEqual(["app@1.0.0"]);
    expect(
      await packagesOf({
        "node_modules/app": optional,
        "node_modules/o": { name: "o", version: "1.0.0" },
      }),
    ).toHaveLength(2);
  });
});

describe("what cannot be measured is an error, never a digest", () => {
  it.each([
    [
      "a dependency that is not installed",
      { "node_modules/app": app },
      "package.dependency_missing",
    ],
    [
      "a symlink to a file",
      { ...flat, "node_modules/leaf/link.js": "-> index.js" },
      "package.entry_not_regular",
    ],
    [
      "a symlink to a folder",
      { ...flat, "node_modules/leaf/out": "-> /" },
      "package.entry_not_regular",
    ],
    [
      "a package.json that is a symlink",
      { "node_modules/app/package.json": "-> /dev/null" },
      "package.manifest_invalid",
    ],
    [
      "a package.json that is no JSON",
      { "node_modules/app/package.json": "{" },
      "package.manifest_invalid",
    ],
    [
      "a package without a version",
      { "node_modules/app": { name: "app" } },
      "package.manifest_invalid",
    ],
    [
      "a dependency name that leaves node_modules",
      { "node_modules/app": { ...leaf, dependencies: { "../../etc": "*" } } },
      "package.manifest_invalid",
    ],
    [
      "dependencies that are a text",
      { "node_modules/app": { ...leaf, dependencies: "x" } },
      "package.manifest_invalid",
    ],
    ["a folder that does not exist", {}, "package.unreadable"],
  ])("%s: %s", async (_, tree, code) => {
    expect(await codeOf(tree)).toBe(code);
  });

  // Other file systems refuse or rewrite such a name, so the case cannot be made there.
  it.runIf(process.platform === "linux")(
    "a file name that is not UTF-8: package.path_invalid",
    async () => {
      const root = plant(flat);
      writeFileSync(
        Buffer.concat([Buffer.from(join(root, "node_modules/leaf/")), Buffer.from([0xff])]),
        "",
      );
      await expect(observeInstalledPackage(join(root, "node_modules/app"))).rejects.toMatchObject({
        code: "package.path_invalid",
      });
    },
  );
});

describe("the integrity the package manager recorded", () => {
  it("comes from npm's hidden lockfile, by path", async () => {
    const packages = { "node_modules/app": { version: "1.0.0", integrity: "sha512-npm" } };
    expect(
      await integrityOf({
        ...flat,
        "node_modules/.package-lock.json": JSON.stringify({ packages }),
      }),
    ).toBe("sha512-npm");
  });

  it("comes from pnpm's lock.yaml, by name and version", async () => {
    const lock = "packages:\n\n  app@1.0.0:\n    resolution: {integrity: sha512-pnpm}\n";
    expect(await integrityOf({ ...linked, "node_modules/.pnpm/lock.yaml": lock })).toBe(
      "sha512-pnpm",
    );
  });

  it.each([
    ["no record", flat],
    [
      "a record of other packages",
      { ...flat, "node_modules/.package-lock.json": '{"packages":{}}' },
    ],
    ["a record that is no JSON", { ...flat, "node_modules/.package-lock.json": "{" }],
    ["a record that is no YAML", { ...linked, "node_modules/.pnpm/lock.yaml": "a: [" }],
    [
      "pnpm's record, but a folder it did not install",
      {
        ...flat,
        "node_modules/.pnpm/lock.yaml": "packages:\n  app@1.0.0:\n    resolution: {integrity: x}\n",
      },
    ],
  ])("is unknown with %s", async (_, tree) => {
    expect(await integrityOf(tree)).toBeUndefined();
  });
});

it("measures the real server-everything as pnpm installed it", async () => {
  const manifest = createRequire(import.meta.url).resolve(
    "@modelcontextprotocol/server-everything/package.json",
  );
  const installed = await observeInstalledPackage(dirname(manifest));
  expect(installed.name).toBe("@modelcontextprotocol/server-everything");
  expect(installed.integrity).toMatch(/^sha512-/);
  expect(installed.packages.length).toBeGreaterThan(50);
  const names = installed.packages.map((one) => one.package);
  expect(names).toContain(`${installed.name}@${installed.version}`);
  expect(names.some((name) => name.startsWith("@modelcontextprotocol/sdk@1."))).toBe(true);
});
