import type { JsonObject } from "@eve/canonical-json";
import {
  type EntryTool,
  entryDigest,
  isPublishing,
  isRefused,
  refusal,
  type Refusal,
  type RefusalCode,
  type Refusals,
  type Registry,
} from "@eve/registry-schema";
import { type Admission, isAdmission, admittedTool } from "./admission.ts";
import { judgeGovernance } from "./admit.ts";
import { annotationsFit } from "./annotations.ts";
import { internalError } from "./ladder.ts";
import { printableName, printableProtocol } from "./printable.ts";

/** Who answers for consent to a publishing call. */
export type CallConsent =
  /** No approval: a publishing call is refused. */
  | { readonly by: "none" }
  /** The backend that executes the call consumes an approval in the same transaction; without one it writes only a request. */
  | { readonly by: "backend" };

/** One call, as its caller is about to make it. */
export interface ToolCall {
  readonly tool: string;
  /** The protocol version the session speaks. */
  readonly protocolVersion: string;
  /** The tool's annotations as served; first-party tools must carry the class's own. */
  readonly annotations: JsonObject;
  /** Which of the entry's credentials the call carries, and to which origin; `undefined` if it carries none. */
  readonly credential: { readonly id: string; readonly destination: string } | undefined;
  /** What the credential permits; `undefined` if only its issuer knows, which then decides. */
  readonly scopes: readonly string[] | undefined;
  readonly consent: CallConsent;
}

/** Admitted with the pinned tool, or refused with every cause in order. */
export type CallVerdict =
  | { readonly admitted: true; readonly tool: EntryTool }
  | { readonly admitted: false; readonly refusals: Refusals };

/**
 * Decides one call (ADR-0092, combined tool-call admission): governance against the current registry first, then the
 * same entry, protocol, pinned tool, annotations, credential destination, scopes, consent. Pure and total; `now` is epoch ms.
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
  if (!isAdmission(admission))
    return {
      admitted: false,
      refusals: [
        refusal("admission.forged", {
          subject: "admission",
          expected: "made by admit()",
          actual: "made elsewhere",
        }),
      ],
    };
  const tool = admittedTool(admission, call.tool);
  const refusals = [
    ...judgeGovernance(registry, admission.integration, now),
    ...sameEntry(admission, registry),
    ...protocol(admission, call),
    ...(tool ? judgeTool(admission, registry, tool, call) : unpinned(admission, call)),
  ];
  if (isRefused(refusals)) return { admitted: false, refusals };
  return tool
    ? { admitted: true, tool }
    : { admitted: false, refusals: [internalError(admission.integration, "tool", undefined)] };
}

function sameEntry(admission: Admission, registry: Registry): readonly Refusal[] {
  const record = registry.integrations.get(admission.integration);
  if (record?.status !== "complete") return []; // governance has refused it
  const current = entryDigest(record.raw);
  return current === admission.entryDigest
    ? []
    : [no(admission, "entry.changed", "entry", admission.entryDigest, current)];
}

function protocol(admission: Admission, { protocolVersion }: ToolCall): readonly Refusal[] {
  return protocolVersion === admission.protocolVersion
    ? []
    : [
        no(
          admission,
          "protocol.version_unadmitted",
          "protocol",
          admission.protocolVersion,
          printableProtocol(protocolVersion),
        ),
      ];
}

function unpinned(admission: Admission, { tool }: ToolCall): readonly Refusal[] {
  return [
    no(
      admission,
      "call.tool_unpinned",
      "tool",
      `one of ${admission.tools.size} admitted tools`,
      printableName(tool),
    ),
  ];
}

function judgeTool(
  admission: Admission,
  registry: Registry,
  tool: EntryTool,
  call: ToolCall,
): readonly Refusal[] {
  const record = registry.integrations.get(admission.integration);
  const origin = record?.status === "complete" ? record.entry.origin : "first-party"; // a faulty record is refused above
  const subject = `tools.${tool.name}`;
  const missing = tool.permissions.filter(
    (permission) => call.scopes !== undefined && !call.scopes.includes(permission),
  );
  return [
    ...(annotationsFit(origin, call.annotations, tool.riskClass)
      ? []
      : [
          no(
            admission,
            "call.annotation_mismatch",
            subject,
            `annotations of class ${tool.riskClass}`,
            "other annotations",
          ),
        ]),
    ...(mayGo(admission, registry, call.credential)
      ? []
      : [
          no(
            admission,
            "credential.destination_refused",
            subject,
            "a destination of the credential",
            "another origin",
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          no(
            admission,
            "call.scope_missing",
            subject,
            tool.permissions.join(", "),
            `without ${missing.join(", ")}`,
          ),
        ]),
    ...(isPublishing(tool.riskClass) && call.consent.by !== "backend"
      ? [no(admission, "consent.required", subject, "an approved consent", "none")]
      : []),
  ];
}

/** A credential goes to its own destinations, never to another credential's. */
function mayGo(admission: Admission, registry: Registry, carried: ToolCall["credential"]): boolean {
  if (carried === undefined) return true;
  const record = registry.integrations.get(admission.integration);
  return (
    record?.status === "complete" &&
    record.entry.credentials.some(
      ({ id, destinations }) => id === carried.id && destinations.includes(carried.destination),
    )
  );
}

function no(
  admission: Admission,
  code: RefusalCode,
  subject: string,
  expected: string,
  actual: string,
): Refusal {
  return refusal(code, { integration: admission.integration, subject, expected, actual });
}
