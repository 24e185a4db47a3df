import type { Buffer } from "node:buffer";
import type { Channel, ItemState } from "./items.ts";
import type { JsonObject } from "@eve/canonical-json";
import type { ConsentState } from "@eve/consent-binding";

/** The columns that the service reads; it writes through functions alone. */
export interface Tables {
  readonly "bff.items": ItemsTable;
  readonly "bff.notes": NotesTable;
  readonly "bff.history": HistoryTable;
  readonly "bff.consents": ConsentsTable;
}

interface ItemsTable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly state: ItemState;
  readonly assignee: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly change_summary: string | null;
  readonly change_artifact: string | null;
  readonly change_submitted_at: Date | null;
  readonly channel: Channel | null;
}

interface NotesTable {
  readonly id: string;
  readonly sequence: string;
  readonly item: string;
  readonly author: string;
  readonly text: string;
  readonly created_at: Date;
}

interface HistoryTable {
  readonly sequence: string;
  readonly item: string;
  readonly actor: string;
  readonly from_state: ItemState | null;
  readonly to_state: ItemState;
  readonly at: Date;
}

interface ConsentsTable {
  readonly id: string;
  readonly tenant: string;
  readonly actor: string;
  readonly principal: string;
  readonly binding: Buffer;
  readonly digest: string;
  readonly state: ConsentState;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
  readonly approval_mac: string | null;
  readonly outcome: JsonObject | null;
  readonly seal: string | null;
}
