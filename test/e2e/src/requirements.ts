/** One normative sentence of ADR-0092, shortened; tests cite its id in their titles. */
export interface Requirement {
  readonly id: `ADR-0092-${number}`;
  /** The ADR's section. */
  readonly section: "Context" | "Decision" | "Consequences" | "Verification";
  readonly says: string;
}

const context = (n: number, says: string): Requirement => ({
  id: `ADR-0092-${n}`,
  section: "Context",
  says,
});
const decision = (n: number, says: string): Requirement => ({
  id: `ADR-0092-${n}`,
  section: "Decision",
  says,
});
const consequence = (n: number, says: string): Requirement => ({
  id: `ADR-0092-${n}`,
  section: "Consequences",
  says,
});
const verification = (n: number, says: string): Requirement => ({
  id: `ADR-0092-${n}`,
  section: "Verification",
  says,
});

/** Every normative sentence of the decision. An id is never reused; a sentence that goes keeps its row as long as the ADR says it. */
export const REQUIREMENTS: readonly Requirement[] = [
  context(
    101,
    "oshun-workbench is a stdio server that holds a scoped bearer and exposes seven tools",
  ),
  context(
    102,
    "bellona-protected-http is exercised locally over a real Streamable HTTP transport and exposes only the read-only bellona_ping",
  ),
  context(
    103,
    "the registry pins owners, sources, versions, transports, tool risk classes, credential destinations and protocol versions of both records",
  ),
  context(104, "there is no adopted external-agent protocol and no agent entry"),
  context(
    105,
    "the enforceable boundary is the admission path immediately before the workbench server registers tools",
  ),

  decision(
    201,
    "EXTERNAL_INTEGRATION_REGISTRY is the authoritative source-controlled registry and MCP_SERVER_INVENTORY its alias",
  ),
  decision(202, "an entry identifies integration kind and protocol"),
  decision(203, "an entry identifies its accountable owner"),
  decision(204, "an entry identifies source path, version, SHA-256 and transport"),
  decision(205, "an entry identifies integration-level and per-tool risk classes"),
  decision(
    206,
    "an entry identifies explicit permissions, credentials, configuration, destination origins and data classes",
  ),
  decision(207, "an entry identifies its lifecycle state: active, quarantined or revoked"),
  decision(208, "an entry identifies health status, observation time, expiry and evidence"),
  decision(209, "an entry identifies evaluation status, observation time, expiry and evidence"),
  decision(210, "an entry identifies owner review time, expiry, reviewer and evidence"),
  decision(
    211,
    "an entry identifies the exact tool name set and SHA-256 pins of every input schema and description",
  ),
  decision(212, "admission is default-deny: an absent entry is unavailable"),
  decision(213, "a missing required field makes the integration unavailable"),
  decision(214, "an unknown kind or lifecycle makes the integration unavailable"),
  decision(215, "quarantine and revocation make the integration unavailable"),
  decision(216, "an unhealthy or unknown status makes the integration unavailable"),
  decision(217, "a failed or pending evaluation makes the integration unavailable"),
  decision(218, "expired health, evaluation or review makes the integration unavailable"),
  decision(219, "a changed source, version or transport makes the integration unavailable"),
  decision(220, "a changed tool set, schema or description makes the integration unavailable"),
  decision(221, "each failure has a stable refusal code"),
  decision(222, "the server decides governance before registering its first tool"),
  decision(
    223,
    "a combined tool-call admission repeats governance before protocol, annotation, credential, authorization and consent controls",
  ),
  decision(224, "the registry has two entries"),
  decision(
    225,
    "the workbench entry's seven schema and description pins were measured from a live tools/list response",
  ),
  decision(
    226,
    "the protected-HTTP entry's tool is measured through an official SDK client against a real local HTTP server",
  ),
  decision(227, "deployment: local-reference makes the non-production status explicit"),
  decision(228, "health expires after 30 days, evaluation and owner review after six months"),
  decision(
    229,
    "renewal reruns the tests, records new evidence and deliberately updates dates and hashes; extending an expiry is not a review",
  ),
  decision(
    230,
    "a first publish call without a consent id creates an exact non-executing impact preview",
  ),
  decision(
    231,
    "a distinct operator credential approves or declines, and the one-shot approval binds actor, tenant, tool and canonical arguments",
  ),
  decision(232, "the step-up credential differs from the shared bearer and every per-agent bearer"),
  decision(
    233,
    "the schema permits kind: agent, there are zero agent entries, and unknown agents are unavailable by absence",
  ),
  decision(
    234,
    "new live third-party admissions remain subject to the dependency gates 4.8, 12.7, 13.7 and 14.7",
  ),

  consequence(301, "a forgotten integration ages out"),
  consequence(302, "a changed description is treated as tool poisoning"),
  consequence(303, "quarantine and revocation stop startup"),
  consequence(
    304,
    "metadata binds the permission and data-destination story to the same commit as the executable gate",
  ),
  consequence(305, "ordinary tool edits require new schema, description and source pins"),
  consequence(306, "a stale registry can stop the workbench MCP server with exit code 78"),

  verification(401, "the adversarial suite produces and asserts every refusal code"),
  verification(
    402,
    "the stdio interop suite launches the real workbench with the official SDK, negotiates a version and reads the live seven-tool surface",
  ),
  verification(
    403,
    "it checks schemas, descriptions and policy-derived annotations against the registry",
  ),
  verification(404, "bad credential destinations prevent the server from serving any tools"),
  verification(
    405,
    "the protected-HTTP suite discovers path-aware metadata, connects with an exact-audience token, lists and calls bellona_ping, and sees a wrong audience refused on the wire",
  ),
  verification(406, "the same resource identifier is sent on both OAuth resource indicator legs"),
  verification(
    407,
    "a preview performs no mutation, an agent bearer cannot self-approve, exact approved arguments execute once, a replay or argument change is refused",
  ),
  verification(408, "a PostgreSQL integration test observes the single real shipped transition"),
];
