import type { Instant } from "@eve/registry-schema";

/** The states an item moves through: queued → claimed → submitted → shipped → verified or rejected. */
export type ItemState = "queued" | "claimed" | "submitted" | "shipped" | "verified" | "rejected";

/** Where a change is shipped to. */
export type Channel = "internal" | "beta" | "stable";

/** One work item as lists show it. `version` rises with each change. */
export interface Item {
  readonly id: string;
  readonly title: string;
  readonly state: ItemState;
  readonly assignee: string | null;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** A note; it is never changed or removed. */
export interface Note {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Instant;
}

/** One step of an item's life; `from` is null where it was made. */
export interface ItemStep {
  readonly actor: string;
  readonly from: ItemState | null;
  readonly to: ItemState;
  readonly at: Instant;
}

/** What was submitted for an item. */
export interface ItemChange {
  readonly summary: string;
  readonly artifactSha256: string;
  readonly submittedAt: Instant;
}

/** One item with everything known of it; notes and history are the newest 100 of each, oldest first. */
export interface ItemDetail extends Item {
  readonly description: string;
  readonly change: ItemChange | null;
  readonly channel: Channel | null;
  readonly notes: readonly Note[];
  readonly history: readonly ItemStep[];
}
