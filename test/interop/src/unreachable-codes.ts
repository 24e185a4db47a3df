import type { RefusalCode } from "@eve/registry-schema";

/** The codes of the catalogue that a built workbench cannot answer at start, each with the reason. */
export const UNREACHABLE_AT_START = {
  "registry.rollback": "nothing was seen before the start; workbench-running tests it",
  "entry.changed": "nothing was admitted before the start; workbench-running tests it",
  "gates.unmet": "the workbench is no third party",
  "gates.evidence_mismatch": "evidence is judged when a registry is assembled",
  "health.evidence_mismatch": "evidence is judged when a registry is assembled",
  "evaluation.evidence_mismatch": "evidence is judged when a registry is assembled",
  "review.evidence_mismatch": "evidence is judged when a registry is assembled",
  "source.unmeasured": "the workbench measures itself",
  "protocol.framing":
    "the workbench measures itself over the SDK's own transport; mcp-guard tests lying servers",
  "surface.pagination_invalid": "the SDK's server answers one page; mcp-guard tests lying servers",
  "surface.too_large":
    "the SDK's server answers one page of seven tools; mcp-guard tests lying servers",
  "surface.duplicate_tool":
    "the SDK's server throws at a second tool of one name; trust-admission tests it",
  "call.tool_unpinned": "no call is made at start",
  "call.annotation_mismatch": "no call is made at start",
  "call.scope_missing": "no call is made at start",
  "call.arguments_invalid": "no call is made at start",
  "call.result_invalid": "no call is made at start",
  "consent.required": "no call is made at start",
  "workbench.unavailable": "the backend is not reached before the first call",
  "admission.forged": "the program takes an admission from admit() alone",
} as const satisfies Partial<Record<RefusalCode, string>>;
