import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import { bytesOf, goodSurface, type KitSurface, NOW, VERSIONS } from "@eve/test-kit";
import { type DraftResult, formatJson, measurePackage, ownManifest } from "../src/index.ts";
import { newFolder, put } from "./scratch.ts";
import { serverScript } from "./server-script.ts";

/** A file that a third party's program writes when it is started. */
export interface Marker {
  readonly exists: () => boolean;
  /** Its environment as JSON, then its arguments. */
  readonly text: () => string;
}

/** A folder with one installed package, `@notes/server`, whose program writes a marker when it starts. */
export interface Installed {
  readonly folder: string;
  readonly marker: Marker;
}

/** Installs the package as npm would have. */
export function installPackage(
  surfaces: readonly KitSurface[] = VERSIONS.map(goodSurface),
  manifest: JsonObject = {},
): Installed {
  const folder = newFolder();
  const file = join(newFolder(), "started");
  const first = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env) + process.argv.slice(2).join(" "));`;
  const at = "node_modules/@notes/server";
  put(
    folder,
    `${at}/package.json`,
    bytesOf({
      name: "@notes/server",
      version: "2.1.0",
      type: "module",
      bin: "./main.js",
      ...manifest,
    }),
  );
  put(folder, `${at}/main.js`, serverScript({ surfaces, first }));
  const record = { [at]: { version: "2.1.0", integrity: `sha512-${"A".repeat(86)}==` } };
  put(folder, "node_modules/.package-lock.json", bytesOf({ packages: record }));
  return {
    folder,
    marker: { exists: () => existsSync(file), text: () => readFileSync(file, "utf8") },
  };
}

/** Drafts an entry of the installed package at {@link NOW}. */
export function draft(
  { folder }: Installed,
  change: Partial<Parameters<typeof measurePackage>[0]> = {},
): Promise<DraftResult> {
  const run = {
    integration: "other-notes",
    now: NOW,
    command: ["eve-registry", "measure"],
    tools: { node: "26.10.0" },
    reason: "Generated for a test",
  };
  return measurePackage(
    {
      package: "@notes/server",
      packages: folder,
      spawn: true,
      bin: undefined,
      args: [],
      env: [],
      clientCapabilities: {},
      textExceptions: [],
      run,
      ...change,
    },
    {},
  );
}

/** A registry of one's own: the drafted entry, its evidence, and gates met by a note. The marker is of the second package, never started. */
export async function draftedRegistry(): Promise<{
  readonly root: string;
  readonly marker: Marker;
}> {
  const drafted = await draft(installPackage());
  if (!drafted.ok) throw new Error(JSON.stringify(drafted.refusals));
  const { folder: root, marker } = installPackage();
  const note = { path: "evidence/gates/note.json", bytes: bytesOf({ note: "a test" }) };
  const manifest = ownManifest(NOW, { ...note, sha256: sha256(note.bytes) });
  const entry = { path: "integrations/other-notes.json", bytes: formatJson(drafted.entry) };
  const head = { path: "registry.json", bytes: formatJson(manifest) };
  for (const { path, bytes } of [...drafted.files, note, entry, head])
    put(root, `registry/${path}`, bytes);
  return { root, marker };
}
