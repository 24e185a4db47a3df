import { createRequire } from "node:module";
import type { StatefulAuthorizationCall } from "@cedar-policy/cedar-wasm";
import {
  addCalendarMonths,
  type Entry,
  type Instant,
  instantMs,
  isPublishing,
} from "@eve/registry-schema";
import type { ToolCall } from "@eve/trust-admission";

// Its "import" entry has the file bundlers take; this is the one for Node.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types are those of the package
const cedar = createRequire(import.meta.url)(
  "@cedar-policy/cedar-wasm/nodejs",
) as typeof import("@cedar-policy/cedar-wasm");

const POLICY_SET = "calls";

/** What admitToolCall() asks of a call, said in Cedar; each line is one of its questions. */
const POLICY = `
permit (principal is Credential, action == Action::"call", resource is Tool)
when {
  resource.entry.kind == "mcp-server" &&
  resource.entry.lifecycle == "active" &&
  (resource.entry.origin == "first-party" || context.gatesMet) &&
  resource.entry.health == "healthy" &&
  resource.entry.healthObservedAt <= context.now && context.now < resource.entry.healthExpiresAt &&
  resource.entry.healthExpiresAt <= resource.entry.healthLimit &&
  resource.entry.evaluation == "passed" &&
  resource.entry.evaluationObservedAt <= context.now && context.now < resource.entry.evaluationExpiresAt &&
  resource.entry.evaluationExpiresAt <= resource.entry.evaluationLimit &&
  resource.entry.basis == "reviewed" &&
  resource.entry.reviewer != resource.entry.owner &&
  resource.entry.subject == resource.entry.reviewedSubject &&
  resource.entry.reviewedAt <= context.now && context.now < resource.entry.reviewExpiresAt &&
  resource.entry.reviewExpiresAt <= resource.entry.reviewLimit &&
  context.newestObservation <= context.now &&
  resource.entry.digest == context.admittedDigest &&
  context.listed == context.current &&
  context.protocolVersion == context.admittedVersion &&
  context.annotations == resource.annotations &&
  principal.destinations.contains(context.destination) &&
  context.scopes.containsAll(resource.permissions) &&
  (!resource.publishes || context.consent == "backend")
};`;

/** What of an admission and a registry the policy is told, beside the entry. */
export interface Facts {
  readonly digest: string;
  readonly protocolVersion: string;
  readonly newestObservationMs: number;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** Parses the policy once, as a program would at its start. */
export function preparePolicy(): void {
  const parsed = cedar.preparsePolicySet(POLICY_SET, { staticPolicies: POLICY });
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed.errors));
}

/** Whether the policy permits. */
export function isPermitted(request: StatefulAuthorizationCall): boolean {
  const answer = cedar.statefulIsAuthorized(request);
  if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors));
  return answer.response.decision === "allow";
}

const sixMonthsAfter = (from: Instant): number => addCalendarMonths(instantMs(from), 6);

/** The request that says what a call says. The entry and its dates are entities: they come from the registry. */
export function requestOf(
  entry: Entry,
  facts: Facts,
  call: ToolCall,
  now: number,
): StatefulAuthorizationCall {
  const tool = entry.tools.find(({ name }) => name === call.tool);
  const credential = entry.credentials.find(({ id }) => id === call.credential?.id);
  if (tool === undefined || credential === undefined) throw new TypeError("a pinned tool");
  const ms = instantMs;
  const attributes = {
    kind: entry.kind,
    lifecycle: entry.lifecycle.state,
    origin: entry.origin,
    health: entry.health.status,
    healthObservedAt: ms(entry.health.observedAt),
    healthExpiresAt: ms(entry.health.expiresAt),
    healthLimit: ms(entry.health.observedAt) + 30 * 86_400_000,
    evaluation: entry.evaluation.status,
    evaluationObservedAt: ms(entry.evaluation.observedAt),
    evaluationExpiresAt: ms(entry.evaluation.expiresAt),
    evaluationLimit: sixMonthsAfter(entry.evaluation.observedAt),
    basis: entry.review.basis,
    reviewer: entry.review.reviewer,
    owner: entry.owner.team,
    subject: entry.review.subject,
    reviewedSubject: entry.review.subject,
    reviewedAt: ms(entry.review.reviewedAt),
    reviewExpiresAt: ms(entry.review.expiresAt),
    reviewLimit: sixMonthsAfter(entry.review.reviewedAt),
    digest: facts.digest,
  };
  const id = { type: "Entry", id: entry.id };
  const own = { type: "Tool", id: tool.name };
  const caller = { type: "Credential", id: credential.id };
  return {
    principal: caller,
    action: { type: "Action", id: "call" },
    resource: own,
    context: {
      now,
      gatesMet: true,
      newestObservation: facts.newestObservationMs,
      admittedDigest: facts.digest,
      listed: call.generation.listed,
      current: call.generation.current,
      protocolVersion: call.protocolVersion,
      admittedVersion: facts.protocolVersion,
      annotations: Object.fromEntries(
        Object.entries(call.annotations).map(([hint, value]) => [hint, value === true]),
      ),
      destination: call.credential?.destination ?? "",
      scopes: [...(call.scopes ?? [])],
      consent: call.consent.by,
    },
    preparsedPolicySetId: POLICY_SET,
    entities: [
      { uid: id, attrs: attributes, parents: [] },
      {
        uid: own,
        attrs: {
          entry: { __entity: id },
          publishes: isPublishing(tool.riskClass),
          permissions: [...tool.permissions],
          annotations: facts.annotations,
        },
        parents: [id],
      },
      { uid: caller, attrs: { destinations: [...credential.destinations] }, parents: [] },
    ],
  };
}
