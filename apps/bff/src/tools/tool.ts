import type { JsonObject } from "@eve/canonical-json";
import type * as z from "zod";
import type { BffDatabase, Caller, Item } from "../database/database.ts";
import { type Result, fail, succeed } from "../failure.ts";
import { placeOf } from "../issue-place.ts";

/** What a tool's call answers: a member of the union that the workbench declares for it, `status` first. */
export interface Answer {
  readonly status: "ok" | "approval_required" | "pending";
  readonly [member: string]: unknown;
}

/** A call whose arguments fit: it can be run, or once approved its effect can be told. */
export type ReadyCall =
  | {
      readonly kind: "direct";
      readonly run: (database: BffDatabase, caller: Caller) => Promise<Result<Answer>>;
    }
  | { readonly kind: "publish"; readonly executed: (item: Item) => Answer };

/** One of the seven tools. */
export interface Tool {
  readonly name: string;
  /** What its arguments must be. */
  readonly shape: z.ZodType;
  /** Arguments of exactly the tool's shape, or `call.arguments_invalid` with the place. */
  readonly prepare: (args: JsonObject) => Result<ReadyCall>;
}

/** A tool that acts at once. */
export function directTool<Args>(
  name: string,
  shape: z.ZodType<Args>,
  run: (database: BffDatabase, caller: Caller, args: Args) => Promise<Result<Answer>>,
): Tool {
  return {
    name,
    shape,
    prepare: (raw) =>
      withArguments(raw, shape, (args) => ({
        kind: "direct",
        run: (database, caller) => run(database, caller, args),
      })),
  };
}

/** A tool whose effect an operator must approve; `executed` tells it, from the item as it is after. */
export function publishTool<Args>(
  name: string,
  shape: z.ZodType<Args>,
  executed: (args: Args, item: Item) => Answer,
): Tool {
  return {
    name,
    shape,
    prepare: (raw) =>
      withArguments(raw, shape, (args) => ({
        kind: "publish",
        executed: (item) => executed(args, item),
      })),
  };
}

/** Tells a result as the answer that holds it. */
export function answerWith<T>(
  result: Result<T>,
  members: (value: T) => Readonly<Record<string, unknown>>,
): Result<Answer> {
  return result.ok ? succeed({ status: "ok", ...members(result.value) }) : result;
}

function withArguments<Args>(
  raw: JsonObject,
  shape: z.ZodType<Args>,
  ready: (args: Args) => ReadyCall,
): Result<ReadyCall> {
  const parsed = shape.safeParse(raw);
  return parsed.success
    ? succeed(ready(parsed.data))
    : fail("call.arguments_invalid", { detail: placeOf(parsed.error, "arguments") });
}
