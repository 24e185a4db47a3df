import { type JsonValue, canonicalJson } from "@eve/canonical-json";
import { type Preview, parsePreview } from "@eve/consent-binding";
import { formatInstant, instantMs } from "@eve/registry-schema";
import type { ConsentView } from "../database/database.ts";
import { credentialField } from "./credential-page.ts";
import { pageDocument } from "./document.ts";
import { type Markup, markup } from "./markup.ts";
import { remainingText } from "./remaining.ts";
import { visibleText } from "./visible-text.ts";

/** The whole request as an operator must see it before deciding; `now` is the database's clock in epoch ms. */
export function consentPage(consent: ConsentView, now: number): string {
  const { binding, state } = consent;
  return pageDocument(
    state === "pending" ? "Decide on this request" : `This request is ${state}`,
    markup`${stateOf(consent, now)}
${doneWith(consent)}
<h2>What happens</h2>
<dl>
${row("Requested by", binding.actor)}
${row("Tenant", binding.tenant)}
${row("Tool", `${binding.integration} · ${binding.tool}`)}
${impact(parsePreview(binding.preview))}
</dl>
<h2>Arguments</h2>
<dl>
${Object.entries(binding.arguments).map(([name, value]) => row(name, textOf(value)))}
</dl>
<h3>Canonical arguments</h3>
<pre id="arguments">${visibleText(canonicalJson(binding.arguments))}</pre>
<details>
<summary>The whole text that the digest covers</summary>
<pre id="binding">${visibleText(canonicalJson({ ...binding }))}</pre>
</details>
<h2>Digest</h2>
<p>It must equal the one that the agent shows.</p>
<pre id="digest">${consent.digest}</pre>
${state === "pending" ? decisionForm(consent) : undefined}`,
  );
}

function stateOf({ state, expiresAt, decidedBy }: ConsentView, now: number): Markup {
  const decided =
    decidedBy === null ? undefined : markup` by <code>${visibleText(decidedBy)}</code>`;
  const isOpen = state === "pending" || state === "approved";
  return markup`<p>State: <strong id="state">${state}</strong>${decided}.</p>
${isOpen ? timeLeft(instantMs(expiresAt), now) : undefined}`;
}

/**
 * What became of an approval, which tells an operator what a caller could not learn whose connection broke: the effect
 * and this record are one transaction, so that nothing recorded is nothing done.
 */
function doneWith({ state, outcome }: ConsentView): Markup | undefined {
  if (outcome === null)
    return state === "approved"
      ? markup`<p id="done">It has not been used: nothing was done with it.</p>`
      : undefined;
  return markup`<h2>What was done</h2>
<dl id="done">
${Object.entries(outcome).map(([name, value]) => row(name, textOf(value)))}
</dl>`;
}

function timeLeft(expiry: number, now: number): Markup {
  const at = formatInstant(expiry);
  return markup`<p>Expires at <time datetime="${at}">${at}</time>. Time left at ${formatInstant(now)}: <strong id="remaining">${remainingText(expiry - now)}</strong>.</p>`;
}

function impact(preview: Preview | undefined): Markup {
  if (preview === undefined) return row("Impact", "cannot be shown: do not approve");
  const { itemId, from, to, version, effect, destinations } = preview;
  const effects = Object.entries(effect).map(([name, value]) => row(`Effect: ${name}`, value));
  const places = destinations.map(({ origin, dataClasses }) =>
    row(`Data goes to ${origin}`, dataClasses.join(", ")),
  );
  return markup`${row("Item", itemId)}
${row("Transition", `${from} → ${to}, version ${version} → ${version + 1}`)}
${effects}
${places}`;
}

function decisionForm({ digest }: ConsentView): Markup {
  return markup`<h2>Decision</h2>
<form method="post" autocomplete="off">
<input type="hidden" name="digest" value="${digest}">
<label for="reason">Reason</label>
<textarea id="reason" name="reason" rows="3" required maxlength="1000"></textarea>
${credentialField()}
<button name="step" value="decline">Decline</button>
<button name="step" value="approve">Approve</button>
</form>`;
}

function row(name: string, value: string): Markup {
  return markup`<dt>${visibleText(name)}</dt><dd><code>${visibleText(value)}</code></dd>
`;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : canonicalJson(value);
}
