import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { memberOf } from "./json-rpc.ts";
import type { ObservationLimits } from "./observation-limits.ts";
import type { Refuse, Refused } from "./observation-refusal.ts";
import type { ProtocolEra } from "./protocol-era.ts";
import { type Answer, METHOD_NOT_FOUND, type WireSession } from "./session.ts";

/** The exact bytes of one answer (a line without its newline, a JSON body, the data of an event), and the method it answers. */
export interface RawAnswer {
  readonly method: string;
  readonly bytes: Uint8Array;
}

/** A listing: its method and the result's member that holds the items. */
export interface Listing {
  readonly method: string;
  readonly member: string;
}

/** The listings of a surface. */
export const LISTINGS: Readonly<
  Record<"tools" | "prompts" | "resources" | "resourceTemplates", Listing>
> = {
  tools: { method: "tools/list", member: "tools" },
  prompts: { method: "prompts/list", member: "prompts" },
  resources: { method: "resources/list", member: "resources" },
  resourceTemplates: { method: "resources/templates/list", member: "resourceTemplates" },
};

/** All items of a listing; `items` is undefined where the server has no such method (-32601). */
export type Listed =
  | {
      readonly ok: true;
      readonly items: readonly JsonObject[] | undefined;
      readonly raw: readonly RawAnswer[];
    }
  | Refused;

/** What a walk over pages needs. */
export interface Walk {
  readonly session: WireSession;
  readonly era: ProtocolEra;
  readonly limits: ObservationLimits;
  readonly refuse: Refuse;
}

/**
 * Reads every page of a listing. Cursors are opaque: "" is one. Refuses a repeated cursor or one that is no string
 * (`surface.pagination_invalid`), too many pages or items (`surface.too_large`), and an error, an incomplete answer
 * or one without the list (`surface.unavailable`). Only the first page may say that there is no such method.
 */
export async function listPages(
  { session, era, limits, refuse }: Walk,
  { method, member }: Listing,
): Promise<Listed> {
  const items: JsonObject[] = [];
  const raw: RawAnswer[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    // A page's cursor comes from the page before.
    const answer = await session.ask(
      method,
      cursor === undefined ? era.params : { ...era.params, cursor },
    );
    if (cursor === undefined && answer.kind === "error" && answer.code === METHOD_NOT_FOUND)
      return { ok: true, items: undefined, raw };
    const page = pageOf(answer, { method, member }, era, refuse);
    if (!page.ok) return page;
    raw.push({ method, bytes: page.line });
    const count = items.length + page.items.length;
    if (count > limits.maxItems) {
      return refuse("surface.too_large", {
        subject: method,
        expected: `at most ${limits.maxItems} items`,
        actual: `${count} items`,
      });
    }
    items.push(...page.items);
    if (page.next === undefined) return { ok: true, items, raw };
    if (typeof page.next !== "string")
      return refuse("surface.pagination_invalid", {
        subject: method,
        expected: "a string as cursor",
        actual: "another type",
      });
    if (cursors.has(page.next)) {
      return refuse("surface.pagination_invalid", {
        subject: method,
        expected: "a new cursor on each page",
        actual: `a cursor repeated on page ${raw.length}`,
      });
    }
    if (raw.length >= limits.maxPages)
      return refuse("surface.too_large", {
        subject: method,
        expected: `at most ${limits.maxPages} pages`,
        actual: "more",
      });
    cursor = page.next;
    cursors.add(cursor);
  }
}

/** The result of an answer, if it is complete; in words of ours what else it is. */
export function completeResult(
  answer: Answer,
  subject: string,
  era: ProtocolEra,
  refuse: Refuse,
): { ok: true; result: JsonObject; line: Uint8Array } | Refused {
  const unavailable = (actual: string): Refused =>
    refuse("surface.unavailable", { subject, expected: "an answer", actual });
  if (answer.kind === "refused") return answer.refused;
  if (answer.kind === "error") return unavailable(`error ${answer.code}`);
  // MCP 2026-07-28, basic: an absent resultType is complete, an unknown one is invalid.
  const resultType = memberOf(answer.result, "resultType") ?? "complete";
  if (era.hasResultType && resultType !== "complete")
    return unavailable("an answer that is not complete");
  return { ok: true, result: answer.result, line: answer.line };
}

type Page =
  | { ok: true; items: readonly JsonObject[]; next: JsonValue | undefined; line: Uint8Array }
  | Refused;

function pageOf(
  answer: Answer,
  { method, member }: Listing,
  era: ProtocolEra,
  refuse: Refuse,
): Page {
  const complete = completeResult(answer, method, era, refuse);
  if (!complete.ok) return complete;
  const { result, line } = complete;
  const list = memberOf(result, member);
  if (!isObjectList(list))
    return refuse("surface.unavailable", {
      subject: method,
      expected: `a list of ${member}`,
      actual: "an answer without one",
    });
  return { ok: true, items: list, next: memberOf(result, "nextCursor"), line };
}

function isObjectList(value: JsonValue | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((item: JsonValue) => isJsonObject(item));
}
