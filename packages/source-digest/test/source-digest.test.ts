import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { readLockfile } from "../src/lockfile.ts";
import { MANIFEST_PATH } from "../src/plugin.ts";
import { readSource } from "../src/read-source.ts";
import { orderManifest, sourceDigest, type SourceManifest } from "../src/source-manifest.ts";
import { readBuiltSource } from "../src/verify-source.ts";

const INTEGRITY = `sha512-${"B".repeat(86)}==`;
const LOCK = `lockfileVersion: '9.0'\npackages:\n  'left-pad@1.3.0':\n    resolution: {integrity: ${INTEGRITY}}\n`;

let root = "";
const put = (path: string, text: string): string => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "eve-source-"));
  put("pnpm-lock.yaml", LOCK);
  put("apps/a/package.json", '{"name":"a"}');
  put("apps/a/src/main.ts", "export {};");
  put("apps/a/tsdown.config.ts", "export default {};");
  put("apps/a/node_modules/left-pad/package.json", '{"name":"left-pad","version":"1.3.0"}');
  put("apps/a/node_modules/left-pad/index.js", "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function manifest(): SourceManifest {
  const at = (path: string): string => join(root, path);
  return readSource({
    root,
    lockfile: readLockfile(at("pnpm-lock.yaml")),
    modules: [at("apps/a/src/main.ts"), at("apps/a/node_modules/left-pad/index.js")],
    configuration: [at("apps/a/tsdown.config.ts")],
    tools: [],
  });
}

describe("the manifest of a module graph", () => {
  test("lists own modules, their package.json and the build configuration as files, and bundled packages as lock entries", () => {
    expect(manifest()).toEqual({
      files: [
        { path: "apps/a/package.json", sha256: sha256('{"name":"a"}') },
        { path: "apps/a/src/main.ts", sha256: sha256("export {};") },
        { path: "apps/a/tsdown.config.ts", sha256: sha256("export default {};") },
      ],
      packages: [{ name: "left-pad", version: "1.3.0", integrity: INTEGRITY }],
    });
  });

  test.each([
    ["a module's byte", () => put("apps/a/src/main.ts", "export {} ;")],
    ["a package.json's byte", () => put("apps/a/package.json", '{"name":"a" }')],
    ["the build configuration", () => put("apps/a/tsdown.config.ts", "export default {a: 1};")],
    [
      "a bundled package's lock entry (RP-10)",
      () => put("pnpm-lock.yaml", LOCK.replace("B".repeat(86), "C".repeat(86))),
    ],
  ])("has another digest after a change of %s", (_title, change) => {
    const before = sourceDigest(manifest());
    change();
    expect(sourceDigest(manifest())).not.toBe(before);
  });

  test("has one digest whatever the order of its parts", () => {
    const { files, packages } = manifest();
    expect(sourceDigest(orderManifest({ files: files.toReversed(), packages }))).toBe(
      sourceDigest({ files, packages }),
    );
  });

  test("refuses a package that the lockfile does not pin", () => {
    put("apps/a/node_modules/left-pad/package.json", '{"name":"left-pad","version":"1.3.1"}');
    expect(manifest).toThrow(/no integrity for left-pad@1\.3\.1/);
  });

  test("refuses a module that lies outside the repository, also through a link (RP-04)", () => {
    const outside = mkdtempSync(join(tmpdir(), "eve-outside-"));
    writeFileSync(join(outside, "main.ts"), "");
    rmSync(join(root, "apps/a/src"), { recursive: true });
    symlinkSync(outside, join(root, "apps/a/src"));
    expect(manifest).toThrow(/outside the repository/);
    rmSync(outside, { recursive: true });
  });

  test("has a digest that another language can compute: eve/source/1, NUL, RFC 8785", () => {
    const files = [{ path: "a.ts", sha256: sha256("a") }];
    const text = `{"files":[{"path":"a.ts","sha256":"${sha256("a")}"}],"packages":[]}`;
    expect(sourceDigest({ files, packages: [] })).toBe(sha256(`eve/source/1\0${text}`));
  });
});

describe("a build held against its source", () => {
  beforeEach(() => put(`apps/a/${MANIFEST_PATH}`, JSON.stringify(manifest())));

  test("is fresh while nothing changed", () => {
    expect(readBuiltSource(root, "apps/a")).toEqual({
      sha256: sourceDigest(manifest()),
      changed: [],
    });
  });

  test("names the file that changed since", () => {
    put("apps/a/src/main.ts", "export { };");
    expect(readBuiltSource(root, "apps/a").changed).toEqual(["apps/a/src/main.ts"]);
  });

  test("names the file that is gone, and the package whose lock entry changed", () => {
    rmSync(join(root, "apps/a/tsdown.config.ts"));
    put("pnpm-lock.yaml", LOCK.replace("B".repeat(86), "C".repeat(86)));
    expect(readBuiltSource(root, "apps/a").changed).toEqual([
      "apps/a/tsdown.config.ts",
      "left-pad@1.3.0",
    ]);
  });

  test("says to build where there was no build", () => {
    rmSync(join(root, "apps/a", MANIFEST_PATH));
    expect(() => readBuiltSource(root, "apps/a")).toThrow(/npm run build/);
  });
});

describe("a lockfile", () => {
  test("of another version is refused, not guessed at", () => {
    put("pnpm-lock.yaml", LOCK.replace("9.0", "10.0"));
    expect(() => readLockfile(join(root, "pnpm-lock.yaml"))).toThrow(/version 9\.0/);
  });
});
