import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@eve/canonical-json";
import { parseRegistry, type Registry, type RegistryResult } from "@eve/registry-schema";
import {
  bytesOf,
  type EntryOptions,
  goodDocument,
  goodEntry,
  goodObservation,
  goodSurface,
  type KitSurface,
  NOW,
  type Path,
  renewed,
  type Version,
  withChange,
  withValue,
} from "@eve/test-kit";
import { type Standing, type Surface, surfacePins } from "@eve/trust-admission";
import { onTestFinished, vi } from "vitest";
import {
  type Connect,
  connectStdio,
  type GuardedAnswer,
  type GuardedCall,
  type GuardedList,
  type GuardedSession,
  guardSession,
  type GuardOptions,
  type GuardRefused,
} from "../src/index.ts";

/** What `servers/plan.mjs` is to do. */
export interface Plan {
  readonly era?: Version;
  /** What it can show; the good surface alone where not said. */
  readonly surfaces?: readonly KitSurface[];
  /** Which surface the n-th listing shows; `gone` answers an error, `restless` says meanwhile that it changed. */
  readonly lists?: readonly (number | "gone" | "restless")[];
  /** What the n-th call does: `answer` where not said. */
  readonly calls?: readonly (
    | "answer"
    | "change"
    | "wrong"
    | "error"
    | "die"
    | "endListening"
    | "hold"
    | "release"
    | "ignore"
    | "progress"
    | "linkAway"
    | "linkHome"
    | "twoVoices"
  )[];
  /** Which surface's instructions and capabilities the first opening shows; that of the first listing where not said. */
  readonly opens?: number;
  readonly ttlMs?: unknown;
}

/** A guarded session with a lying server, what that was asked, and the clock. */
export interface Guarded {
  readonly session: GuardedSession;
  /** The methods that all its connections were asked, in order. */
  readonly asked: () => readonly string[];
  /** How many of them are this one. */
  readonly count: (method: string) => number;
  /** Moves the clock. */
  readonly pass: (ms: number) => void;
  /** What the registry answers from now on. */
  readonly setRegistry: (result: RegistryResult) => void;
}

/** The good surface with one place changed; `undefined` removes it. */
export function changedSurface(
  path: Path,
  change: Parameters<typeof withChange>[2],
  version: Version = "2025-11-25",
): KitSurface {
  const raw: JsonObject = JSON.parse(JSON.stringify(goodSurface(version)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a surface but for the change
  return withChange(raw, path, change) as unknown as KitSurface;
}

/** The registry of one entry. */
export function registryOf(entry: JsonObject = goodEntry({ now: NOW })): Registry {
  const result = parseRegistry(goodDocument({ entries: [entry] }).bytes);
  if (!result.ok) throw new TypeError(result.refusals[0].code);
  return result.registry;
}

/** Waits until something holds; on a busy machine that may take a while. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 10 });
}

/** What is measured of the good server before anybody speaks to it. */
export function goodStanding(): Standing {
  const { integration, source, version, transport } = goodObservation("2025-11-25");
  return { integration, source, version, transport };
}

/** A guarded session over whatever connection, with a clock that stands still until it is moved. */
export function guarded(
  connect: Connect,
  asked: () => readonly string[],
  change: Partial<GuardOptions> = {},
): Guarded {
  let now = NOW;
  let registry: RegistryResult = { ok: true, registry: registryOf() };
  const session = guardSession({
    integration: "notes",
    protocolVersion: "2025-11-25",
    clientCapabilities: { roots: { listChanged: true } },
    standing: () => Promise.resolve(goodStanding()),
    connect,
    registry: () => registry,
    now: () => now,
    ...change,
  });
  return {
    session,
    asked,
    count: (method) => asked().filter((each) => each === method).length,
    pass: (ms) => {
      now += ms;
    },
    setRegistry: (result) => {
      registry = result;
    },
  };
}

/** A guarded session with `servers/plan.mjs`. */
export function planned(plan: Plan = {}, change: Partial<GuardOptions> = {}): Guarded {
  const { era = "2025-11-25" } = plan;
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "asked");
  writeFileSync(log, "");
  const told = JSON.stringify({ surfaces: [goodSurface(era)], ...plan, era, log });
  const connect = connectStdio({
    command: process.execPath,
    args: [join(import.meta.dirname, "servers", "plan.mjs"), told],
    env: {},
  });
  const asked = (): readonly string[] => readFileSync(log, "utf8").split("\n").filter(Boolean);
  return guarded(connect, asked, { protocolVersion: era, ...change });
}

/** A good call of a reading tool. */
export function goodCall(generation: number, change: Partial<GuardedCall> = {}): GuardedCall {
  return {
    tool: "list_notes",
    arguments: bytesOf({ id: "n-1", target: "staging" }),
    generation,
    credential: { id: "notes-bearer", destination: "https://notes.eve.example" },
    scopes: ["notes:read", "notes:write", "notes:publish"],
    consent: { by: "backend" },
    ...change,
  };
}

/** The list; throws where it is refused. */
export async function listed(session: GuardedSession): Promise<GuardedList> {
  const list = await session.list();
  if (!list.ok) throw new Error(`refused: ${JSON.stringify(list.refusals)}`);
  return list;
}

/** The codes of a refusal, or what was answered. */
export function outcome(answer: GuardedList | GuardedAnswer | GuardRefused): string {
  if (!answer.ok) return answer.refusals.map(({ code }) => code).join(", ");
  return "kind" in answer ? answer.kind : "listed";
}

/** A third party's entry as if its surface, observed with these capabilities, had been reviewed. */
export function asReviewed(
  surface: Surface,
  options: Partial<EntryOptions> = {},
  clientCapabilities: JsonObject = {},
): JsonObject {
  const { protocolVersion } = surface;
  const { tools, ...pins } = surfacePins(surface);
  const permissions = ["notes:read", "notes:write", "notes:publish"];
  const changes: readonly (readonly [Path, unknown])[] = [
    [["protocol", "versions"], [protocolVersion]],
    [["riskClass"], "destructive"],
    [
      ["tools"],
      tools.map(({ name, pins: { inputSchema, description, definition } }) => ({
        name,
        riskClass: "destructive",
        permissions,
        pins: { inputSchema, description, definition: { [protocolVersion]: definition } },
      })),
    ],
    [["surface"], { observedWith: { clientCapabilities }, [protocolVersion]: pins }],
  ];
  return renewed(
    changes.reduce<JsonObject>(
      (entry, [path, value]) => withValue(entry, path, JSON.parse(JSON.stringify(value))),
      goodEntry({ now: NOW, origin: "third-party", ...options }),
    ),
  );
}
