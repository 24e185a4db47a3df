import type { RefusalCode } from "@eve/registry-schema";
import type { ConsentRequest } from "../consent-store.ts";
import type { ItemState } from "../item-state.ts";
import { parsePreview, type Preview } from "../preview.ts";
import { publicationOf } from "./publication.ts";

/** An item as the model keeps it. */
export interface MemoryItem {
  readonly itemId: string;
  readonly state: ItemState;
  readonly version: number;
}

/** The items of all tenants. */
export class MemoryItems {
  readonly #items = new Map<string, MemoryItem>();
  #moves = 0;

  /** Writes an item as somebody else would: its version rises. */
  put(tenant: string, itemId: string, state: ItemState): void {
    const version = (this.of(tenant, itemId)?.version ?? 0) + 1;
    this.#items.set(keyOf(tenant, itemId), { itemId, state, version });
  }

  of(tenant: string, itemId: string): MemoryItem | undefined {
    return this.#items.get(keyOf(tenant, itemId));
  }

  /** What the call would do, without doing it: item.not_found, item.state_refused, request.invalid. */
  preview(tenant: string, asked: ConsentRequest): Preview | RefusalCode {
    const publication = publicationOf(asked.tool, asked.arguments);
    if (!publication) return "request.invalid";
    const item = this.of(tenant, publication.itemId);
    if (!item) return "item.not_found";
    if (item.state !== publication.from) return "item.state_refused";
    const { version } = item;
    const preview = { ...publication, version, destinations: asked.destinations };
    return parsePreview(preview) ?? "request.invalid";
  }

  /** Does what a preview says; answers the new version. */
  move(tenant: string, { itemId, to }: Preview): number {
    this.#moves += 1;
    this.put(tenant, itemId, to);
    return this.of(tenant, itemId)?.version ?? 0;
  }

  /** How often an execution has moved an item. */
  get moves(): number {
    return this.#moves;
  }
}

function keyOf(tenant: string, itemId: string): string {
  return JSON.stringify([tenant, itemId]);
}
