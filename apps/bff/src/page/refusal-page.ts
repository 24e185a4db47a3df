import { CATALOGUE } from "@eve/registry-schema";
import type { Failure } from "../failure.ts";
import { pageDocument } from "./document.ts";
import { markup } from "./markup.ts";

/** A refusal in the catalogue's words. What was sent, a credential above all, is not on it. */
export function refusalPage({ code, detail, state }: Failure): string {
  const { title, remedy } = CATALOGUE[code];
  return pageDocument(
    title,
    markup`<p><code id="code">${code}</code></p>
${state === undefined ? undefined : markup`<p>State: <strong id="state">${state}</strong>.</p>`}
<p>${remedy}</p>
${detail === undefined ? undefined : markup`<p><code>${detail}</code></p>`}
<p><a href="">Open the page again</a></p>`,
  );
}
