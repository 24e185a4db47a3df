import type { JsonObject } from "@eve/canonical-json";
import { provoked } from "../../expect-refusal.ts";
import { objectAt, textAt } from "../../json-members.ts";
import type { ItemReading, Step } from "../../step.ts";
import { StepError } from "../../step-error.ts";
import type { Running } from "../start-services.ts";
import {
  type Publication,
  requireAsked,
  requireCode,
  requireItem,
  requireItemState,
  requireStatus,
  type Story,
} from "./story.ts";

const OK = 200;
const REASON = "The quickstart shows what an approval does";

/**
 * The steps of one publication: previewed, the agent's own approval refused, approved by an operator, refused with a
 * changed argument, executed once, and refused when repeated. Each ends with the item as the database holds it.
 */
export function publicationSteps(plan: Publication, story: Story): readonly Step<Running>[] {
  const call = ({ agent }: Running, args: JsonObject): Promise<JsonObject> =>
    agent.call(plan.tool, { itemId: requireItem(story), ...args });
  const read = async ({ reader }: Running, when: "before" | "after"): Promise<ItemReading> => {
    const item = await reader.read(requireItem(story));
    requireItemState(plan, item, when);
    return item;
  };
  const { id, noun, args, changedArgs } = plan;
  return [
    {
      id: `${id}-previewed`,
      doing: `Asking for the ${noun} as the agent`,
      run: async (running) => {
        delete story.asked;
        const before = await read(running, "before");
        const answer = await call(running, args);
        requireStatus(answer, "approval_required");
        const item = await read(running, "before");
        if (item.version !== before.version)
          throw new StepError(`expected version ${before.version}; found ${item.version}`);
        story.asked = {
          consentId: textAt(answer, "consentId"),
          digest: textAt(answer, "digest"),
          approveUrl: textAt(answer, "approveUrl"),
        };
        return { headline: `Previewed, not executed: the ${noun} waits for an operator`, item };
      },
    },
    {
      id: `${id}-self-approval`,
      doing: `Approving the ${noun} as the agent`,
      run: async (running) => {
        const { consentId, digest } = requireAsked(story);
        const { body } = await running.backend.agent.post(`/v1/consents/${consentId}/approve`, {
          digest,
          reason: REASON,
        });
        requireCode(body, "consent.approver_not_operator");
        return {
          headline: "Refused: the agent cannot approve its own request",
          refusals: [provoked("consent.approver_not_operator")],
          item: await read(running, "before"),
        };
      },
    },
    {
      id: `${id}-approved`,
      doing: `Approving the ${noun} as an operator`,
      run: async (running) => {
        const { consentId, digest } = requireAsked(story);
        const { operator } = running.backend;
        const path = `/v1/consents/${consentId}`;
        const shown = await operator.get(path);
        if (textAt(shown.body, "digest") !== digest)
          throw new StepError("expected the digest that the agent was shown; found another");
        const { status, body } = await operator.post(`${path}/approve`, { digest, reason: REASON });
        if (status !== OK || textAt(body, "state") !== "approved")
          throw new StepError(
            `expected the state approved; found ${textAt(body, "state") || textAt(body, "code")}`,
          );
        return {
          headline: `Approved by an operator, for exactly this call: digest ${digest.slice(0, 16)}…`,
          item: await read(running, "before"),
        };
      },
    },
    {
      id: `${id}-changed-argument`,
      doing: `Using the approval with a changed argument`,
      run: async (running) => {
        const { consentId } = requireAsked(story);
        requireCode(
          await call(running, { ...changedArgs, consentId }),
          "consent.arguments_mismatch",
        );
        return {
          headline: "Refused: one argument differs from what was approved",
          refusals: [provoked("consent.arguments_mismatch")],
          item: await read(running, "before"),
        };
      },
    },
    {
      id: `${id}-executed`,
      doing: `Using the approval`,
      run: async (running) => {
        const { consentId } = requireAsked(story);
        requireStatus(await call(running, { ...args, consentId }), "ok");
        const item = await read(running, "after");
        return { headline: `Executed once: the item is ${plan.to}`, item };
      },
    },
    {
      id: `${id}-replayed`,
      doing: `Using the approval again`,
      run: async (running) => {
        const { consentId } = requireAsked(story);
        const answer = await call(running, { ...args, consentId });
        requireCode(answer, "consent.consumed");
        const recorded = textAt(objectAt(answer, "outcome"), "to");
        if (recorded !== plan.to)
          throw new StepError(
            `expected the recorded outcome ${plan.to}; found ${recorded || "none"}`,
          );
        return {
          headline: `Refused, and told what was done: the recorded outcome is ${recorded}`,
          refusals: [provoked("consent.consumed")],
          item: await read(running, "after"),
        };
      },
    },
  ];
}
