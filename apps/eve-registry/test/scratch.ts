import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { type JsonObject, type JsonValue, sha256 } from "@eve/canonical-json";
import { MANIFEST_PATH, type SourceManifest } from "@eve/source-digest";
import { assembleDocument } from "@eve/registry-schema";
import {
  bytesOf,
  goodDocument,
  goodEntry,
  NOW,
  type Path,
  renewed,
  withValue,
} from "@eve/test-kit";
import { objectOf, parseObject } from "../src/json-values.ts";
import { run } from "./run.ts";
import { serverScript } from "./server-script.ts";

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const made: string[] = [];

/** A new folder; {@link removeFolders} removes it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(inject("runFolder"), "scratch-"));
  made.push(folder);
  return folder;
}

/** Removes every folder that was made here. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Writes one file under a folder. */
export function put(folder: string, path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

/** The text of one file under a folder. */
export function textAt(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

/** Reads the object in a JSON file. */
export function objectAt(folder: string, path: string): JsonObject {
  const object = parseObject(readFileSync(join(folder, path)));
  if (!object) throw new TypeError(`${path} holds no object`);
  return object;
}

/** Every file under a folder and the digest of its bytes: what "nothing was written" is held against. */
export function digestsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .toSorted();
  return Object.fromEntries(
    files.map((file) => [relative(folder, file), sha256(readFileSync(file))]),
  );
}

/** The entry's file, from the workspace. */
export const ENTRY = "registry/integrations/notes.json";
const APP = "apps/notes";

/**
 * A repository with one first-party app, built, and a registry whose one entry nobody has reviewed yet: its digests
 * are of nothing and it has no evidence. Without an entry where told.
 */
export function unreviewedWorkspace({ entry = true } = {}): string {
  const root = newFolder();
  symlinkSync(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  put(root, "pnpm-lock.yaml", LOCK);
  put(root, `${APP}/package.json`, bytesOf(APP_MANIFEST));
  put(root, `${APP}/src/main.ts`, "export {};\n");
  put(root, "checks/package.json", '{"name":"checks","type":"module"}');
  suite(root, 'test("holds", () => {});');
  build(root);
  const { integrations: _, ...manifest } = goodDocument({ entries: [] }).value;
  put(root, "registry/registry.json", bytesOf(manifest));
  if (entry) put(root, ENTRY, bytesOf(notesEntry()));
  return root;
}

const LOCK = `lockfileVersion: '9.0'\npackages:\n  'left-pad@1.3.0':\n    resolution: {integrity: sha512-${"B".repeat(86)}==}\n`;
const APP_MANIFEST: JsonObject = {
  name: "@eve/notes",
  version: "1.4.0",
  type: "module",
  eve: { surface: "build/surface-server.js", evaluation: ["checks"] },
};

function notesEntry(): JsonObject {
  const entry = goodEntry({ now: NOW });
  const artifacts = [{ path: "dist/main.js", sha256: "0".repeat(64) }];
  const transport = { ...objectOf(entry["transport"]), args: ["main.js", "--quiet"] };
  const surface = withValue(entry["surface"] ?? {}, ["2025-11-25", "instructions"], "0".repeat(64));
  return renewed({
    ...entry,
    surface,
    source: { ...objectOf(entry["source"]), sha256: "0".repeat(64), artifacts },
    transport,
  });
}

/** Builds the app: program, surface program and the manifest of its source. */
export function build(
  root: string,
  program: string = serverScript(),
  surface: string = program,
): void {
  put(root, `${APP}/dist/main.js`, program);
  put(root, `${APP}/build/surface-server.js`, surface);
  buildApp(root, APP);
}

/** Writes the manifest of an app's source, as its bundle does. */
export function buildApp(root: string, app: string): void {
  const files = [`${app}/package.json`, `${app}/src/main.ts`].map((path) => ({
    path,
    sha256: sha256(readFileSync(join(root, path))),
  }));
  const packages = [
    { name: "left-pad", version: "1.3.0", integrity: `sha512-${"B".repeat(86)}==` },
  ];
  const manifest: SourceManifest = { files, packages };
  put(root, `${app}/${MANIFEST_PATH}`, JSON.stringify(manifest));
}

/** Edits the app's source, as a person would before a build. */
export function editSource(root: string): void {
  put(root, `${APP}/src/main.ts`, "export const edited = true;\n");
}

/** Replaces the evaluation suite. */
export function suite(root: string, tests: string): void {
  put(root, "checks/one.test.js", `import { test, expect } from "vitest";\n${tests}\n`);
}

/** Changes the entry at one place, as a person would with an editor. */
export function setInEntry(root: string, path: Path, value: JsonValue): void {
  put(root, ENTRY, bytesOf(withValue(objectAt(root, ENTRY), path, value)));
}

/** The command line of a good first review. */
export const REVIEW = [
  "renew",
  "notes",
  "--review",
  "--reviewer",
  "eve-security",
  "--reason",
  "First review",
] as const;

let reviewed: Promise<string> | undefined;

/** A copy of a workspace whose entry was reviewed at {@link NOW} by the program itself, and whose registry lies beside the program. */
export async function reviewedWorkspace(): Promise<string> {
  reviewed ??= reviewOnce();
  const copy = newFolder();
  cpSync(await reviewed, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function reviewOnce(): Promise<string> {
  const root = unreviewedWorkspace();
  made.splice(made.indexOf(root), 1); // it is there until the run's folder goes
  for (const argv of [REVIEW, ["assemble", "--to", `${APP}/dist`]]) {
    const { code, err } = await run(root, argv);
    if (code !== 0) throw new Error(err);
  }
  return root;
}

/** Writes the digest of the program as built into the entry and its reports by hand, as nobody should: no run of it stands behind. */
export function adoptBuild(root: string): void {
  const artifacts = [
    { path: "dist/main.js", sha256: sha256(readFileSync(join(root, `${APP}/dist/main.js`))) },
  ];
  setInEntry(root, ["source", "artifacts"], artifacts);
  for (const part of ["health", "evaluation"] as const) {
    const path = `evidence/notes/${part}/report.json`;
    const report = withValue(
      objectAt(root, `registry/${path}`),
      ["digests", "artifacts"],
      artifacts,
    );
    put(root, `registry/${path}`, bytesOf(report));
    setInEntry(root, [part, "evidence", "sha256"], sha256(bytesOf(report)));
  }
  put(
    root,
    `${APP}/dist/registry.json`,
    bytesOf(assembleDocument(objectAt(root, "registry/registry.json"), [objectAt(root, ENTRY)])),
  );
}
