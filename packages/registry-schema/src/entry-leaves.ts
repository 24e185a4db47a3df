import type { RefusalCode } from "./catalogue.ts";

/** bound: compared or deciding, one change refuses; descriptive: changes the entry's digest; dated: refuses at its limits. */
export type LeafKind = "bound" | "descriptive" | "dated";

/** One leaf of an entry: its path with `[]` for a list's items and `*` for a protocol version or a free key. */
export interface EntryLeaf {
  readonly path: string;
  readonly kind: LeafKind;
  /** The rung of admission that judges it, as named in admit.ts. */
  readonly rung: string;
  /** A code answered when the leaf alone is changed (bound), its limit is passed (dated), or a running program meets the change (descriptive). */
  readonly code: RefusalCode;
  /** Answered instead where the new value contradicts another field, or has a cause of its own. */
  readonly others: readonly RefusalCode[];
  readonly meaning: string;
}

const bound = (
  path: string,
  rung: string,
  code: RefusalCode,
  meaning: string,
  ...others: readonly RefusalCode[]
): EntryLeaf => ({ path, kind: "bound", rung, code, others, meaning });
const dated = (
  path: string,
  rung: string,
  code: RefusalCode,
  meaning: string,
  ...others: readonly RefusalCode[]
): EntryLeaf => ({ path, kind: "dated", rung, code, others, meaning });
const descriptive = (path: string, meaning: string): EntryLeaf => ({
  path,
  kind: "descriptive",
  rung: "call: entry unchanged",
  code: "entry.changed",
  others: [],
  meaning,
});

/** Every leaf of an entry, in the order of docs/entry.md, which is generated from this table. */
export const ENTRY_LEAVES: readonly EntryLeaf[] = [
  bound("id", "presence", "entry.absent", "What the integration is called; the file's name too"),
  bound(
    "kind",
    "kind",
    "entry.agent_not_adopted",
    "`mcp-server`, or `agent`, which has no admission path",
  ),
  bound(
    "origin",
    "complete",
    "registry.field_missing",
    "`first-party`: its source is in this repository; else `third-party`",
  ),
  bound(
    "deployment",
    "review",
    "review.subject_changed",
    "`production`, `local-reference` or `local-development`",
    "entry.deployment_mismatch",
  ),
  bound("protocol.name", "complete", "registry.field_invalid", "`mcp`"),
  bound(
    "protocol.versions[]",
    "complete",
    "registry.field_missing",
    "The exact protocol versions admitted",
  ),
  bound("owner.team", "review", "review.subject_changed", "The accountable team"),
  descriptive("owner.contact", "How to reach the owner"),
  bound(
    "source.path",
    "review",
    "review.subject_changed",
    "First party: folder of the source, from the repository's root",
  ),
  bound("source.package", "source", "source.changed", "Third party: npm package"),
  bound(
    "source.integrity",
    "source",
    "source.changed",
    "Third party: npm integrity of the package",
  ),
  bound("source.version", "version", "source.version_changed", "Version of what runs"),
  bound(
    "source.sha256",
    "source",
    "source.changed",
    "Digest of the source tree, or of the installed closure",
  ),
  bound(
    "source.artifacts[].path",
    "artifact",
    "artifact.changed",
    "First party: a file that runs, from the source's folder",
    "registry.field_invalid",
  ),
  bound("source.artifacts[].sha256", "artifact", "artifact.changed", "Plain SHA-256 of that file"),
  bound("transport.type", "complete", "registry.field_missing", "`stdio` or `streamable-http`"),
  bound(
    "transport.command",
    "transport",
    "transport.changed",
    "stdio: the command, no shell or package runner",
    "registry.field_invalid",
  ),
  bound(
    "transport.args[]",
    "transport",
    "transport.changed",
    "stdio: its arguments; the script by its path inside the artifact's folder",
    "registry.field_invalid",
  ),
  bound(
    "transport.env[]",
    "complete",
    "registry.field_invalid",
    "stdio: names of the environment variables it may see",
  ),
  bound(
    "transport.url",
    "transport",
    "transport.changed",
    "streamable-http: the URL",
    "registry.field_invalid",
  ),
  bound(
    "riskClass",
    "complete",
    "registry.field_invalid",
    "The most severe class of the tools: read < write < publish < destructive",
  ),
  bound(
    "permissions[]",
    "complete",
    "registry.field_invalid",
    "Exactly the permissions of the tools",
  ),
  bound(
    "tools[].name",
    "tool set",
    "surface.tool_set_drift",
    "A tool's name",
    "registry.field_invalid",
    "registry.id_collision",
  ),
  bound(
    "tools[].riskClass",
    "review",
    "review.subject_changed",
    "The tool's class; its annotations follow from it",
    "registry.field_invalid",
  ),
  bound(
    "tools[].permissions[]",
    "review",
    "review.subject_changed",
    "What a caller needs to call it",
    "registry.field_invalid",
  ),
  bound(
    "tools[].pins.inputSchema",
    "input schemas",
    "surface.schema_drift",
    "Pin of the input schema",
  ),
  bound(
    "tools[].pins.description",
    "descriptions",
    "surface.description_drift",
    "Pin of the description",
  ),
  bound(
    "tools[].pins.definition.*",
    "definitions",
    "surface.definition_drift",
    "Pin of the whole tool object, per protocol version",
  ),
  bound(
    "surface.observedWith.clientCapabilities",
    "client",
    "surface.client_mismatch",
    "Capabilities the measuring client declared",
  ),
  bound(
    "surface.*.instructions",
    "instructions",
    "surface.instructions_drift",
    "Pin of the server's instructions",
  ),
  bound(
    "surface.*.capabilities",
    "capabilities",
    "surface.capability_drift",
    "Pin of the server's capabilities",
  ),
  bound("surface.*.prompts", "prompts", "surface.prompt_drift", "Pin of the prompts"),
  bound(
    "surface.*.resources",
    "resources",
    "surface.resource_drift",
    "Pin of the resources and resource templates",
  ),
  bound(
    "credentials[].id",
    "review",
    "review.subject_changed",
    "What the credential is called",
    "registry.field_invalid",
  ),
  bound(
    "credentials[].env",
    "review",
    "review.subject_changed",
    "The environment variable that holds it",
    "registry.field_invalid",
  ),
  bound(
    "credentials[].scopes[]",
    "review",
    "review.subject_changed",
    "What it permits",
    "registry.field_invalid",
  ),
  bound(
    "credentials[].destinations[]",
    "review",
    "review.subject_changed",
    "The only origins it may go to",
    "registry.field_invalid",
  ),
  bound(
    "configuration[].env",
    "review",
    "review.subject_changed",
    "The environment variable of a setting",
    "registry.field_invalid",
  ),
  bound("configuration[].required", "review", "review.subject_changed", "Whether it must be set"),
  bound(
    "destinations[].origin",
    "review",
    "review.subject_changed",
    "An origin that data goes to",
    "registry.field_invalid",
    "entry.deployment_mismatch",
  ),
  bound(
    "destinations[].dataClasses[]",
    "review",
    "review.subject_changed",
    "The classes of data sent there",
  ),
  bound(
    "textExceptions[].field",
    "review",
    "review.subject_changed",
    "A text of the surface that hides something, and a review allowed it: a pointer such as `/tools/read_file/description`",
  ),
  bound(
    "textExceptions[].codePoints[]",
    "review",
    "review.subject_changed",
    "The hidden code points allowed there, such as `U+200B`",
  ),
  bound("textExceptions[].reason", "review", "review.subject_changed", "Why they are allowed"),
  bound(
    "lifecycle.state",
    "lifecycle",
    "lifecycle.quarantined",
    "`active`, `quarantined` or `revoked`",
    "lifecycle.revoked",
  ),
  descriptive("lifecycle.reason", "Why it is in that state"),
  dated("lifecycle.since", "clock", "clock.behind", "Since when"),
  bound(
    "health.status",
    "health",
    "health.unhealthy",
    "`healthy`, `unhealthy` or `unknown`",
    "health.unknown",
  ),
  dated(
    "health.observedAt",
    "health",
    "health.future",
    "When the probe ran",
    "health.window_exceeded",
    "registry.field_invalid",
  ),
  dated(
    "health.expiresAt",
    "health",
    "health.expired",
    "At most 30 days later",
    "health.window_exceeded",
    "registry.field_invalid",
  ),
  bound(
    "health.evidence.path",
    "evidence (assemble, verify)",
    "health.evidence_mismatch",
    "The probe's report",
    "registry.field_invalid",
  ),
  bound(
    "health.evidence.sha256",
    "evidence (assemble, verify)",
    "health.evidence_mismatch",
    "Its plain SHA-256",
  ),
  bound(
    "evaluation.status",
    "evaluation",
    "evaluation.failed",
    "`passed`, `failed` or `pending`",
    "evaluation.pending",
  ),
  dated(
    "evaluation.observedAt",
    "evaluation",
    "evaluation.future",
    "When the suite ran",
    "evaluation.window_exceeded",
    "registry.field_invalid",
  ),
  dated(
    "evaluation.expiresAt",
    "evaluation",
    "evaluation.expired",
    "At most six calendar months later",
    "evaluation.window_exceeded",
    "registry.field_invalid",
  ),
  bound(
    "evaluation.evidence.path",
    "evidence (assemble, verify)",
    "evaluation.evidence_mismatch",
    "The suite's report",
    "registry.field_invalid",
  ),
  bound(
    "evaluation.evidence.sha256",
    "evidence (assemble, verify)",
    "evaluation.evidence_mismatch",
    "Its plain SHA-256",
  ),
  bound(
    "review.basis",
    "review",
    "review.basis_refused",
    "`reviewed`, or `generated` for local-* only",
    "review.evidence_mismatch",
  ),
  bound(
    "review.reviewer",
    "evidence (assemble, verify)",
    "review.evidence_mismatch",
    "The team that reviewed; not the owner for publish, destructive and third-party",
  ),
  dated(
    "review.reviewedAt",
    "review",
    "review.future",
    "When it reviewed",
    "review.window_exceeded",
    "registry.field_invalid",
  ),
  dated(
    "review.expiresAt",
    "review",
    "review.expired",
    "At most six calendar months later",
    "review.window_exceeded",
    "registry.field_invalid",
  ),
  bound("review.subject", "review", "review.subject_changed", "Digest of what the review decided"),
  bound(
    "review.evidence.path",
    "evidence (assemble, verify)",
    "review.evidence_mismatch",
    "The review's report",
    "registry.field_invalid",
  ),
  bound(
    "review.evidence.sha256",
    "evidence (assemble, verify)",
    "review.evidence_mismatch",
    "Its plain SHA-256",
  ),
];
