import * as z from "zod";
import { id, itemId, origin, text } from "./fields.ts";
import { ITEM_STATES, type ItemState } from "./item-state.ts";

/** What a publication does beside the move: the channel it ships to, or how and why it closes the item. */
export type PreviewEffect =
  | { readonly channel: string }
  | { readonly outcome: string; readonly reason: string };

/** Where data goes when the call is executed: an origin, and the classes of data it receives. */
export type PreviewDestination = {
  readonly origin: string;
  readonly dataClasses: readonly string[];
};

/** The exact impact that an operator approves. It is computed without a write, and nothing else is executed. */
export type Preview = {
  readonly itemId: string;
  readonly from: ItemState;
  readonly to: ItemState;
  /** The row's version before the move; an item with another one is another item (`consent.item_changed`). */
  readonly version: number;
  readonly effect: PreviewEffect;
  readonly destinations: readonly PreviewDestination[];
};

const itemState = z.enum(ITEM_STATES);

const preview: z.ZodType<Preview> = z
  .strictObject({
    itemId,
    from: itemState,
    to: itemState,
    version: z.int().min(0),
    effect: z.union([
      z.strictObject({ channel: id }),
      z.strictObject({ outcome: z.enum(["verified", "rejected"]), reason: text(1000) }),
    ]),
    destinations: z
      .array(z.strictObject({ origin, dataClasses: z.array(id).max(64).readonly() }).readonly())
      .max(64)
      .readonly(),
  })
  .refine(({ from, to }) => from !== to)
  .readonly();

/** Reads a preview; `undefined` for a missing, unknown or malformed member, or a move from a state to itself. */
export function parsePreview(value: unknown): Preview | undefined {
  const parsed = preview.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
