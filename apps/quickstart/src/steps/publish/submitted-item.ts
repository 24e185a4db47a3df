import { sha256 } from "@eve/canonical-json";
import { objectAt, textAt } from "../../json-members.ts";
import type { Step } from "../../step.ts";
import { StepError } from "../../step-error.ts";
import type { Running } from "../start-services.ts";
import { requireStatus, type Story } from "./story.ts";

const CREATED = 201;

/** An operator makes a work item; the agent claims it and hands a change in, through the workbench. */
export function submittedItem(story: Story): Step<Running> {
  return {
    id: "item-submitted",
    doing: "Working on an item as an agent",
    run: async ({ backend, agent, reader }) => {
      const itemId = await makeItem(backend.operator, "Try the workbench");
      requireStatus(await agent.call("workbench_claim_item", { itemId }), "ok");
      requireStatus(
        await agent.call("workbench_submit_change", {
          itemId,
          summary: "A change made by the quickstart",
          artifactSha256: sha256(Buffer.from("the artifact of the quickstart")),
        }),
        "ok",
      );
      const item = await reader.read(itemId);
      if (item.state !== "submitted")
        throw new StepError(`expected the item submitted; the database holds ${item.state}`);
      story.itemId = itemId;
      return { headline: `Done by the agent: ${itemId} claimed and its change submitted`, item };
    },
  };
}

/** A new queued item, made as an operator; answers its id. */
export async function makeItem(
  operator: Running["backend"]["operator"],
  title: string,
): Promise<string> {
  const { status, body } = await operator.post("/v1/items", { title });
  const id = textAt(objectAt(body, "item"), "id");
  if (status !== CREATED || id === "")
    throw new StepError(`expected a new item; found status ${status} ${textAt(body, "code")}`);
  return id;
}
