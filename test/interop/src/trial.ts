import { linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import { inheritedEnvironment, type StdioLaunch } from "@eve/mcp-guard";
import { makeTrialFolder, settingsFor } from "@eve/registry-cli";
import {
  assembleDocument,
  type FirstPartyEntry,
  parseEntry,
  reviewSubject,
} from "@eve/registry-schema";
import { withValue } from "@eve/test-kit";
import { inject } from "vitest";
import { parseObject } from "./json.ts";
import { WORKBENCH, WORKSPACE } from "./repository.ts";

/** Turns one JSON object into another. */
export type Change = (value: JsonObject) => JsonObject;

/** What a folder of a built workbench has that the good one has not; each gets the good value. */
export interface TrialChanges {
  /** The program's bytes; the entry gets their digest. */
  readonly program?: (bytes: Buffer) => Uint8Array;
  /** The program's bytes once more, after the digest was taken. */
  readonly tamper?: (bytes: Buffer) => Uint8Array;
  readonly entry?: Change;
  readonly document?: Change;
  /** The bytes of registry.json; `undefined` for no file. */
  readonly file?: (text: string) => Uint8Array | string | undefined;
}

/** What all trials are copies of: the built workbench, and an entry and a document that admit it. */
export interface Good {
  readonly program: string;
  readonly entry: JsonObject;
  readonly document: JsonObject;
}

/** How an official client starts a workbench. */
export type Launch = StdioLaunch & { readonly cwd: string };

/** A built workbench in a folder of its own beside a registry of its own. */
export interface WorkbenchTrial {
  readonly folder: string;
  /** Absolute path of registry.json. */
  readonly registry: string;
  /** The entry and the document as written, before `file`. */
  readonly entry: JsonObject;
  readonly document: JsonObject;
  /** With a fresh credential of the issued form, and a state folder of its own. */
  readonly launch: Launch;
  /** Where the program leaves its last refusal. */
  readonly lastRefusal: string;
}

/** A new folder that is gone after the run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(inject("runFolder"), "trial-"));
}

/** The built workbench, admitted at `now` (epoch ms) as production: what every trial differs from. */
export function goodWorkbench(now: number = Date.now()): Good {
  const { program, registry, entry } = makeTrialFolder(
    WORKSPACE,
    WORKBENCH,
    temporaryFolder(),
    now,
  );
  return { program, entry, document: parseObject(readFileSync(registry, "utf8")) };
}

/** A copy of the good workbench with some changes. */
export function workbenchTrial(good: Good, changes: TrialChanges = {}): WorkbenchTrial {
  const folder = temporaryFolder();
  const program = join(folder, basename(good.program));
  const built = readFileSync(good.program);
  const bytes = Buffer.from(changes.program?.(built) ?? built);
  if (changes.program || changes.tamper) writeFileSync(program, changes.tamper?.(bytes) ?? bytes);
  else linkSync(good.program, program);
  const digested = withValue(good.entry, ["source", "artifacts", 0, "sha256"], sha256(bytes));
  const entry = changes.entry?.(digested) ?? digested;
  const { integrations: _, ...manifest } = good.document;
  const assembled = assembleDocument(manifest, [entry]);
  const document = changes.document?.(assembled) ?? assembled;
  const registry = join(folder, "registry.json");
  const text = documentText(document);
  const file = changes.file ? changes.file(text) : text;
  if (file !== undefined) writeFileSync(registry, file);
  const state = join(folder, "state");
  mkdirSync(state);
  const settings = settingsFor(completeEntry(entry) ?? requireEntry(good.entry));
  return {
    folder,
    registry,
    entry,
    document,
    launch: launchIn(folder, { ...settings, XDG_STATE_HOME: state }),
    lastRefusal: join(state, "eve", "last-refusal", `${WORKBENCH}.json`),
  };
}

/** A registry document as it stands beside a program. */
export function documentText(document: JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A launch with other variables; `undefined` removes one. */
export function withEnvironment(
  launch: Launch,
  changes: Readonly<Record<string, string | undefined>>,
): Launch {
  const all = Object.entries<string | undefined>({ ...launch.env, ...changes });
  const set = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...launch, env: Object.fromEntries(set) };
}

/** Makes a production entry one of a workbench on this machine, whose backend is a loopback origin. */
export function localAt(origin: string): Change {
  return (entry) => {
    const local = withValue(entry, ["deployment"], "local-development");
    const bearer = withValue(local, ["credentials", 0, "destinations"], [origin]);
    return reviewed(withValue(bearer, ["destinations", 0, "origin"], origin));
  };
}

/** The entry with a review that states what it now says. */
export function reviewed(entry: JsonObject): JsonObject {
  return withValue(entry, ["review", "subject"], reviewSubject(entry));
}

function launchIn(folder: string, settings: Readonly<Record<string, string>>): Launch {
  return {
    command: process.execPath,
    args: ["main.js"],
    cwd: folder,
    env: { ...inheritedEnvironment(process.env), ...settings },
  };
}

/** The parsed entry; throws where it is not complete. */
export function requireEntry(raw: JsonObject): FirstPartyEntry {
  const entry = completeEntry(raw);
  if (!entry) throw new Error(`not a complete first-party entry ${WORKBENCH}`);
  return entry;
}

function completeEntry(raw: JsonObject): FirstPartyEntry | undefined {
  const parsed = parseEntry(raw, WORKBENCH);
  return parsed.ok && parsed.entry.origin === "first-party" ? parsed.entry : undefined;
}
