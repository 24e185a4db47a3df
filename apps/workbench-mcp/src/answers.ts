import { CATALOGUE, type PublicRefusal, type RefusalCode } from "@eve/registry-schema";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Answer } from "./tools/definition.ts";

/** An answer that nothing was done, as every tool's output schema allows it. */
export type Refused = Answer & PublicRefusal & { readonly status: "refused" };

/** The refused answer of a catalogue code. */
export function refusedAs(code: RefusalCode): Refused {
  return refusedBy({ code, title: CATALOGUE[code].title, remedy: CATALOGUE[code].remedy });
}

/** The refused answer of a refusal: code, title and remedy, and nothing else of it. */
export function refusedBy(cause: PublicRefusal): Refused {
  return { status: "refused", ...publicRefusalOf(cause) };
}

/** A tool result: the answer as structured content, and the same JSON as text. A refusal is an error to the model. */
export function toResult(answer: Answer): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    ...(answer.status === "refused" && { isError: true }),
  };
}

function publicRefusalOf({ code, title, remedy }: PublicRefusal): PublicRefusal {
  return { code, title, remedy };
}
