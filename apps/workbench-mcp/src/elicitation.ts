import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Era } from "./protocol-era.ts";
import type { Answer } from "./tools/definition.ts";
import { consentId as consentIdShape } from "./tools/fields.ts";
import { approvalRequired, pending } from "./tools/outcome.ts";

/** What a client's request envelope holds if it can show a person a URL. */
const declaresUrls = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    elicitation: z.looseObject({ url: z.looseObject({}) }),
  }),
});

/** Key of the one input request of a round. */
const APPROVE = "approve";

/** Where a call stands in the client's multi-round exchange (MCP 2026-07-28, basic/patterns/mrtr). */
export interface Round {
  /** Whether the client declared, with this request, that it can show a person a URL. */
  readonly canElicit: boolean;
  /** The consent that an earlier round of this call asked for. It comes from the client and proves nothing: only the backend decides. */
  readonly consentId: string | undefined;
  /** Set where the person did not go to the approval page: then nothing is sent on. */
  readonly declined: Answer | undefined;
}

/**
 * Reads the round of a call; `takesConsent` tells whether its tool publishes. In the legacy era there is no round, and
 * no call is ever held open for one.
 */
export function readRound(era: Era, takesConsent: boolean, { mcpReq }: ServerContext): Round {
  const canElicit =
    takesConsent && era === "modern" && declaresUrls.safeParse(mcpReq.envelope).success;
  const state = consentIdShape.safeParse(mcpReq.requestState());
  if (!canElicit || !state.success) return { canElicit, consentId: undefined, declined: undefined };
  const response = inputResponse(mcpReq.inputResponses, APPROVE);
  const declined =
    response.kind === "elicit" && response.action !== "accept" ? notOpened(state.data) : undefined;
  return { canElicit, consentId: state.data, declined };
}

/** The round that sends a person to the approval page; `undefined` for any other answer than approval_required. */
export function elicitApproval(answer: Answer): InputRequiredResult | undefined {
  const parsed = approvalRequired.safeParse(answer);
  if (!parsed.success) return undefined;
  const { consentId, approveUrl, expiresAt, digest } = parsed.data;
  const message = `An operator must approve this call before ${expiresAt}. The page must show the digest ${digest}.`;
  return inputRequired({
    inputRequests: { [APPROVE]: inputRequired.elicitUrl({ message, url: approveUrl }) },
    requestState: consentId,
  });
}

function notOpened(consentId: string): Answer {
  const next =
    "The approval page was not opened and nothing was done. When an operator has approved, call again with the same arguments and this consentId.";
  return pending.parse({ status: "pending", consentId, next });
}
