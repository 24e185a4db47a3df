import type { Step } from "../../step.ts";
import type { Running } from "../start-services.ts";
import { publicationSteps } from "./publication.ts";
import type { Publication, Story } from "./story.ts";
import { submittedItem } from "./submitted-item.ts";

export { makeItem } from "./submitted-item.ts";

const SHIPMENT: Publication = {
  id: "shipment",
  noun: "shipment",
  tool: "workbench_ship_item",
  args: { channel: "internal" },
  changedArgs: { channel: "stable" },
  from: "submitted",
  to: "shipped",
  effects: ({ shipments }) => shipments,
};

const VERIFICATION: Publication = {
  id: "verification",
  noun: "verification",
  tool: "workbench_verify_item",
  args: { outcome: "verified", reason: "It works as the change says" },
  changedArgs: { outcome: "rejected", reason: "It works as the change says" },
  from: "shipped",
  to: "verified",
  effects: ({ verdicts }) => verdicts,
};

/** One item's way from the queue to verified, every publication approved by an operator. */
export function publishSteps(): readonly Step<Running>[] {
  const story: Story = {};
  return [
    submittedItem(story),
    ...publicationSteps(SHIPMENT, story),
    ...publicationSteps(VERIFICATION, story),
  ];
}
