import type { JsonObject } from "@eve/canonical-json";
import {
  type Entry,
  type EntryTool,
  isPublishing,
  isRefused,
  refusal,
  type Refusal,
  type RefusalCode,
  type Refusals,
  type Registry,
} from "@eve/registry-schema";
import { type Admission, isAdmission, type PinnedTool, pinnedTool } from "./admission.ts";
import { annotationsFit } from "./annotations.ts";
import { type CallArguments, judgeArguments } from "./call/call-arguments.ts";
import { type Governed, governed } from "./call/governed.ts";
import { internalError } from "./ladder.ts";
import { printableName, printableProtocol } from "./printable.ts";

/** Who answers for consent to a publishing call. */
export type CallConsent =
  /** No approval: a publishing call is refused. */
  | { readonly by: "none" }
  /** The backend that executes the call consumes an approval in the same transaction; without one it writes only a request. */
  | { readonly by: "backend" };

/**
 * Which observation of the surface a call was made for, and which one is the newest. Counts from the session that
 * measures; a program whose surface is its own code, measured before it serves, has one generation.
 */
export interface CallGeneration {
  readonly listed: number;
  readonly current: number;
}

/** One call, as its caller is about to make it. */
export interface ToolCall {
  readonly tool: string;
  /** The protocol version the session speaks. */
  readonly protocolVersion: string;
  readonly generation: CallGeneration;
  /** The tool's annotations as served; first-party tools must carry the class's own. */
  readonly annotations: JsonObject;
  /** Which of the entry's credentials the call carries, and to which origin; `undefined` if it carries none. */
  readonly credential: { readonly id: string; readonly destination: string } | undefined;
  /** What the credential permits; `undefined` if only its issuer knows, which then decides. */
  readonly scopes: readonly string[] | undefined;
  readonly consent: CallConsent;
  readonly arguments: CallArguments;
}

/** Admitted with the pinned tool, or refused with every cause in order. */
export type CallVerdict =
  | {
      readonly admitted: true;
      readonly tool: EntryTool;
      /** The arguments that were judged from the wire: forward these, not the bytes; `undefined` for the server's own schema. */
      readonly arguments: JsonObject | undefined;
    }
  | { readonly admitted: false; readonly refusals: Refusals };

/**
 * Decides one call (ADR-0092, combined tool-call admission): governance against the current registry first, then the
 * same entry, surface generation, protocol, pinned tool, annotations, credential destination, scopes, consent,
 * arguments. Pure and total; `now` is epoch ms. A call that is admitted without arguments from the wire makes no garbage.
 */
export function admitToolCall(
  admission: Admission,
  registry: Registry,
  call: ToolCall,
  now: number,
): CallVerdict {
  try {
    return decide(admission, registry, call, now);
  } catch (error) {
    return { admitted: false, refusals: [internalError(null, "admitToolCall", error)] };
  }
}

/** What no rule refuses. One list for all and loops by index: a call that is admitted makes no garbage. */
const NONE: readonly Refusal[] = Object.freeze([]);

function decide(
  admission: Admission,
  registry: Registry,
  call: ToolCall,
  now: number,
): CallVerdict {
  if (!isAdmission(admission)) return { admitted: false, refusals: [FORGED] };
  const { integration } = admission;
  const standing = governed(registry, integration, now);
  const tool = pinnedTool(admission, call.tool);
  const before = both(standing.refusals, judgeSession(admission, standing, call));
  if (tool === undefined) {
    const size = admission.tools.size;
    const actual = printableName(call.tool);
    const unpinned = no(
      integration,
      "call.tool_unpinned",
      "tool",
      `one of ${size} admitted tools`,
      actual,
    );
    return { admitted: false, refusals: isRefused(before) ? [...before, ...unpinned] : unpinned };
  }
  const given = judgeArguments(tool, call.arguments);
  const refusals = both(
    both(before, judgeTool(integration, tool.entry, standing, call)),
    given.ok ? NONE : unreadable(integration, tool, given),
  );
  if (isRefused(refusals)) return { admitted: false, refusals };
  return given.ok
    ? admitted(tool, given.value)
    : { admitted: false, refusals: [internalError(integration, "arguments", undefined)] };
}

/** The verdict on calls whose arguments the server's own schema judges, by tool. */
const verdicts = new WeakMap<PinnedTool, CallVerdict>();

function admitted(tool: PinnedTool, given: JsonObject | undefined): CallVerdict {
  if (given !== undefined) return { admitted: true, tool: tool.entry, arguments: given };
  const known = verdicts.get(tool);
  if (known !== undefined) return known;
  const verdict = Object.freeze({ admitted: true, tool: tool.entry, arguments: undefined });
  verdicts.set(tool, verdict);
  return verdict;
}

function both(first: readonly Refusal[], then: readonly Refusal[]): readonly Refusal[] {
  if (then.length === 0) return first;
  return first.length === 0 ? then : [...first, ...then];
}

function no(
  integration: string,
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
): readonly [Refusal] {
  return [refusal(code, { integration, subject, expected, actual })];
}

const FORGED: Refusal = refusal("admission.forged", {
  subject: "admission",
  expected: "made by admit()",
  actual: "made elsewhere",
});

function judgeSession(
  { integration, entryDigest, protocolVersion }: Admission,
  { current }: Governed,
  call: ToolCall,
): readonly Refusal[] {
  // Governance has refused a record without an entry.
  const entry =
    current === undefined || current.digest === entryDigest
      ? NONE
      : no(integration, "entry.changed", "entry", entryDigest, current.digest);
  const generation = isCurrent(call.generation)
    ? NONE
    : no(
        integration,
        "surface.generation_stale",
        "surface",
        "the newest observation",
        "another one",
      );
  const protocol =
    call.protocolVersion === protocolVersion
      ? NONE
      : no(
          integration,
          "protocol.version_unadmitted",
          "protocol",
          protocolVersion,
          printableProtocol(call.protocolVersion),
        );
  return both(both(entry, generation), protocol);
}

function isCurrent({ listed, current }: CallGeneration): boolean {
  return Number.isSafeInteger(current) && listed === current;
}

function judgeTool(
  integration: string,
  { name, riskClass, permissions }: EntryTool,
  { current }: Governed,
  call: ToolCall,
): readonly Refusal[] {
  const origin = current?.entry.origin ?? "first-party"; // a faulty record is refused above
  const annotations = annotationsFit(origin, call.annotations, riskClass)
    ? NONE
    : no(
        integration,
        "call.annotation_mismatch",
        `tools.${name}`,
        `annotations of class ${riskClass}`,
        "other annotations",
      );
  const credential = mayGo(current?.entry, call.credential)
    ? NONE
    : no(
        integration,
        "credential.destination_refused",
        `tools.${name}`,
        "a destination of the credential",
        "another origin",
      );
  const consent =
    isPublishing(riskClass) && call.consent.by !== "backend"
      ? no(integration, "consent.required", `tools.${name}`, "an approved consent", "none")
      : NONE;
  const scopes = judgeScopes(integration, name, permissions, call.scopes);
  return both(both(annotations, credential), both(scopes, consent));
}

function judgeScopes(
  integration: string,
  tool: string,
  permissions: readonly string[],
  scopes: readonly string[] | undefined,
): readonly Refusal[] {
  if (scopes === undefined || holdsAll(scopes, permissions)) return NONE;
  const missing = permissions.filter((permission) => !scopes.includes(permission));
  return no(
    integration,
    "call.scope_missing",
    `tools.${tool}`,
    permissions.join(", "),
    `without ${missing.join(", ")}`,
  );
}

function holdsAll(scopes: readonly string[], permissions: readonly string[]): boolean {
  for (let at = 0; at < permissions.length; at++)
    if (!scopes.includes(permissions[at] ?? "")) return false;
  return true;
}

/** A credential goes to its own destinations, never to another credential's. */
function mayGo(entry: Entry | undefined, carried: ToolCall["credential"]): boolean {
  if (carried === undefined) return true;
  if (entry === undefined) return false;
  for (let at = 0; at < entry.credentials.length; at++) {
    const own = entry.credentials[at];
    if (own?.id === carried.id && own.destinations.includes(carried.destination)) return true;
  }
  return false;
}

function unreadable(
  integration: string,
  { entry }: PinnedTool,
  { expected, actual }: { readonly expected: string; readonly actual: string },
): readonly Refusal[] {
  return no(
    integration,
    "call.arguments_invalid",
    `tools.${entry.name}.arguments`,
    expected,
    actual,
  );
}
