import { pageDocument } from "./document.ts";
import { type Markup, markup } from "./markup.ts";

/**
 * The page at the approve URL: it asks for an operator's credential before it shows anything, so it is the same bytes
 * for every id, known or not.
 */
export function credentialPage(): string {
  return pageDocument(
    "Decide on a request",
    markup`<p>An agent asks to publish something. The request is shown to operators of its tenant.</p>
<form method="post" autocomplete="off">
${credentialField()}
<button name="step" value="show">Show the request</button>
</form>`,
  );
}

/** The field for the credential: sent with each step, kept by none. */
export function credentialField(): Markup {
  return markup`<label for="credential">Operator credential</label>
<input id="credential" name="credential" type="password" required maxlength="128" autocomplete="off" autocapitalize="none" spellcheck="false">`;
}
