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
 * arguments. Pure and total; `now` is epoch ms.
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

function decide(
  admission: Admission,
  registry: Registry,
  call: ToolCall,
  now: number,
): CallVerdict {
  if (!isAdmission(admission)) return { admitted: false, refusals: [FORGED] };
  const standing = governed(registry, admission.integration, now);
  const tool = pinnedTool(admission, call.tool);
  const refusals: Refusal[] = [...standing.refusals];
  const refuse: Refuse = (code, subject, expected, actual) => {
    refusals.push(refusal(code, { integration: admission.integration, subject, expected, actual }));
  };
  judgeSession(admission, standing, call, refuse);
  if (tool === undefined) {
    const size = admission.tools.size;
    refuse("call.tool_unpinned", "tool", `one of ${size} admitted tools`, printableName(call.tool));
  } else judgeTool(tool.entry, standing, call, refuse);
  const given = tool && argumentsOf(tool, call, refuse);
  if (isRefused(refusals)) return { admitted: false, refusals };
  return tool
    ? { admitted: true, tool: tool.entry, arguments: given }
    : { admitted: false, refusals: [internalError(admission.integration, "tool", undefined)] };
}

/** Adds a refusal about one part of the call. */
type Refuse = (code: RefusalCode, subject: string, expected: string, actual: string) => void;

const FORGED: Refusal = refusal("admission.forged", {
  subject: "admission",
  expected: "made by admit()",
  actual: "made elsewhere",
});

function judgeSession(
  admission: Admission,
  { current }: Governed,
  { generation, protocolVersion }: ToolCall,
  refuse: Refuse,
): void {
  // Governance has refused a record without an entry.
  if (current !== undefined && current.digest !== admission.entryDigest)
    refuse("entry.changed", "entry", admission.entryDigest, current.digest);
  if (!isCurrent(generation))
    refuse("surface.generation_stale", "surface", "the newest observation", "another one");
  if (protocolVersion !== admission.protocolVersion)
    refuse(
      "protocol.version_unadmitted",
      "protocol",
      admission.protocolVersion,
      printableProtocol(protocolVersion),
    );
}

function isCurrent({ listed, current }: CallGeneration): boolean {
  return Number.isSafeInteger(current) && listed === current;
}

function judgeTool(
  { name, riskClass, permissions }: EntryTool,
  { current }: Governed,
  call: ToolCall,
  refuse: Refuse,
): void {
  const subject = `tools.${name}`;
  const origin = current?.entry.origin ?? "first-party"; // a faulty record is refused above
  if (!annotationsFit(origin, call.annotations, riskClass))
    refuse(
      "call.annotation_mismatch",
      subject,
      `annotations of class ${riskClass}`,
      "other annotations",
    );
  if (!mayGo(current?.entry, call.credential))
    refuse(
      "credential.destination_refused",
      subject,
      "a destination of the credential",
      "another origin",
    );
  const { scopes } = call;
  if (scopes !== undefined && !permissions.every((permission) => scopes.includes(permission)))
    refuse(
      "call.scope_missing",
      subject,
      permissions.join(", "),
      `without ${permissions.filter((permission) => !scopes.includes(permission)).join(", ")}`,
    );
  if (isPublishing(riskClass) && call.consent.by !== "backend")
    refuse("consent.required", subject, "an approved consent", "none");
}

/** A credential goes to its own destinations, never to another credential's. */
function mayGo(entry: Entry | undefined, carried: ToolCall["credential"]): boolean {
  if (carried === undefined) return true;
  return (
    entry?.credentials.some(
      ({ id, destinations }) => id === carried.id && destinations.includes(carried.destination),
    ) === true
  );
}

function argumentsOf(tool: PinnedTool, call: ToolCall, refuse: Refuse): JsonObject | undefined {
  const judged = judgeArguments(tool, call.arguments);
  if (judged.ok) return judged.value;
  refuse(
    "call.arguments_invalid",
    `tools.${tool.entry.name}.arguments`,
    judged.expected,
    judged.actual,
  );
  return undefined;
}
