import type { JsonObject } from "@eve/canonical-json";
import { isReadable } from "@eve/registry-schema";
import type { TextException } from "@eve/trust-admission";
import { resolve } from "node:path";
import { measure } from "./commands/measure.ts";
import { renew } from "./commands/renew.ts";
import type { Io } from "./io.ts";
import { measurePackage } from "./measure-package.ts";
import { type Outcome, refusedOutcome } from "./outcome.ts";
import { UsageError } from "./usage-error.ts";
import { parseObject } from "./json-values.ts";
import type { Workspace } from "./workspace.ts";

/** What `measure` was told. */
export interface MeasureFlags {
  readonly spawn?: boolean;
  readonly packages?: string;
  readonly package?: string;
  readonly bin?: string;
  readonly arg?: readonly string[];
  readonly env?: readonly string[];
  readonly capabilities?: string;
  readonly allow?: readonly string[];
}

/** Measures an entry, or drafts one of a package. */
export async function runMeasure(
  id: string,
  flags: MeasureFlags,
  workspace: () => Workspace,
  io: Io,
): Promise<Outcome> {
  const spawning = { spawn: flags.spawn ?? false, packages: resolve(io.cwd, flags.packages ?? "") };
  if (flags.package === undefined) {
    requireNone(flags, ["bin", "arg", "env", "capabilities", "allow"], "--package");
    return measure(workspace(), id, spawning, io.env);
  }
  const run = {
    integration: id,
    now: wholeSeconds(io.now()),
    command: ["eve-registry", "measure", id, "--package", flags.package],
    tools: toolVersions(io),
    reason: "Generated on this machine from a measurement; no review",
  };
  const { bin, arg: args = [], env = [], capabilities = "{}", allow = [] } = flags;
  const clientCapabilities = parseCapabilities(capabilities);
  const textExceptions = allow.map(parseException);
  const options = {
    ...spawning,
    package: flags.package,
    bin,
    args,
    env,
    run,
    clientCapabilities,
    textExceptions,
  };
  const result = await measurePackage(options, io.env);
  if (!result.ok) return refusedOutcome(result.refusals);
  const files = result.files.map(({ path, bytes }) => ({
    path,
    text: Buffer.from(bytes).toString("utf8"),
  }));
  return {
    lines: [JSON.stringify(result.entry, null, 2)],
    json: { id, draft: result.entry, files },
    refusals: [],
  };
}

function parseCapabilities(text: string): JsonObject {
  const parsed = parseObject(Buffer.from(text));
  if (parsed) return parsed;
  throw new UsageError('--capabilities takes a JSON object, such as {"roots":{}}.');
}

/** `FIELD=U+200B,U+200C`; a field may hold `=` itself. */
function parseException(text: string): TextException {
  const at = text.lastIndexOf("=");
  const codePoints = text.slice(at + 1).split(",");
  if (at > 0 && codePoints.every((point) => /^U\+[0-9A-F]{4,6}$/.test(point)))
    return { field: text.slice(0, at), codePoints };
  throw new UsageError(
    "--allow takes a field of the surface and its hidden code points, such as /tools/read/description=U+200B.",
  );
}

/** What `renew` was told. */
export interface RenewFlags {
  readonly all?: boolean;
  readonly ifStale?: boolean;
  readonly reason?: string;
  readonly review?: boolean;
  readonly reviewer?: string;
}

/** Renews one entry or all; asks for the reason where none was given and there is a terminal. */
export async function runRenew(
  id: string | undefined,
  flags: RenewFlags,
  workspace: () => Workspace,
  io: Io,
): Promise<Outcome> {
  const { all = false, ifStale = false } = flags;
  if ((id === undefined) === !all) throw new UsageError("Name one entry, or --all.");
  const review = reviewOf(flags);
  const reason = flags.reason ?? (await io.ask?.("Why is this renewed? "));
  if (reason === undefined || !isReason(reason))
    throw new UsageError(
      `Give a reason that people can read, of at most ${MAX_REASON} characters: --reason TEXT.`,
    );
  const options = { reason, review, ifStale, tools: toolVersions(io) };
  return renew(workspace(), id === undefined ? [] : [id], options, io);
}

function reviewOf({
  all,
  review,
  reviewer,
}: RenewFlags): { readonly reviewer: string } | undefined {
  if (!review) {
    if (reviewer === undefined) return undefined;
    throw new UsageError("--reviewer records nothing by itself: add --review.");
  }
  if (all) throw new UsageError("Review one entry at a time: name it.");
  if (reviewer === undefined) throw new UsageError("A review needs its reviewer: --reviewer TEAM.");
  if (!TEAM.test(reviewer))
    throw new UsageError("--reviewer takes a team's id: a-z, 0-9 and -, at most 64.");
  return { reviewer };
}

/** The contract's bounds of an evidence report's `reason` and of a team's id. */
const MAX_REASON = 500;
const TEAM = /^[a-z0-9][a-z0-9-]{0,63}$/;

function isReason(text: string): boolean {
  return text.length <= MAX_REASON && isReadable(text);
}

function requireNone(
  flags: MeasureFlags,
  names: readonly (keyof MeasureFlags)[],
  needed: string,
): void {
  const given = names.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  if (given.length > 0)
    throw new UsageError(`${given.join(", ")}: only with ${needed}; an entry says these itself.`);
}

function toolVersions(io: Io): Readonly<Record<string, string>> {
  return { "eve-registry": io.version, node: process.versions.node };
}

/** Evidence is dated in whole seconds. */
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
