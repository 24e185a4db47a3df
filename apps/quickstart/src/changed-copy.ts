import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import type { StdioLaunch } from "@eve/mcp-guard";
import { formatJson, launchProgram, settingsFor, writeFiles } from "@eve/registry-cli";
import type { LocalWorkbench } from "./local-workbench.ts";
import type { RunContext } from "./run-context.ts";
import { objectAt, objectsAt } from "./json-members.ts";

/** What a copy of an admitted program changes. */
export interface CopyChanges {
  readonly program?: Uint8Array;
  readonly entry?: (entry: JsonObject) => JsonObject;
}

/** Launches the workbench; what it remembers of a refusal stays in this run's folder. */
export function launchWorkbench(
  { entry }: LocalWorkbench,
  program: string,
  { env, folder }: RunContext,
): StdioLaunch {
  return launchProgram(
    entry,
    program,
    { ...env, XDG_STATE_HOME: folder, LOCALAPPDATA: folder },
    settingsFor(entry),
  );
}

/** Copies the admitted workbench and the registry beside it into a folder of its own, changed, and says how to start it. */
export function changedCopy(
  local: LocalWorkbench,
  name: string,
  changes: CopyChanges,
  context: RunContext,
): StdioLaunch {
  const folder = join(context.folder, name);
  const program = join(folder, basename(local.program));
  mkdirSync(folder);
  copyFileSync(local.program, program);
  if (changes.program) writeFileSync(program, changes.program);
  writeFiles([
    {
      path: join(folder, "registry.json"),
      bytes: formatJson(changedDocument(local.document, changes)),
    },
  ]);
  return launchWorkbench(local, program, context);
}

/** The document with its entry changed; a changed program is digested again, so that only its surface gives it away. */
export function changedDocument(
  document: JsonObject,
  { program, entry: change }: CopyChanges,
): JsonObject {
  const entries = objectsAt(document, "integrations");
  return {
    ...document,
    integrations: entries.map((entry) => {
      const digested = program ? withArtifact(entry, sha256(program)) : entry;
      return change?.(digested) ?? digested;
    }),
  };
}

function withArtifact(entry: JsonObject, digest: string): JsonObject {
  const source = objectAt(entry, "source");
  const artifacts = objectsAt(source, "artifacts");
  return {
    ...entry,
    source: {
      ...source,
      artifacts: artifacts.map((artifact) => ({ ...artifact, sha256: digest })),
    },
  };
}
