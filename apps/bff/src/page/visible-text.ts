import { type Markup, markup } from "./markup.ts";

/**
 * Characters that a reader cannot see or that move others: control, format, bidi, tags, private and unassigned ones,
 * lone surrogates, variation selectors and fillers, spaces other than the plain one. And ⟨ itself, so that no text can
 * pretend to be a shown character.
 */
const UNSEEN = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000\u27E8]/gu;

/** Text with each such character marked as ⟨U+XXXX⟩. */
export function visibleText(text: string): Markup {
  const pieces: Markup[] = [];
  let end = 0;
  for (const match of text.matchAll(UNSEEN)) {
    pieces.push(markup`${text.slice(end, match.index)}<mark>${nameOf(match[0])}</mark>`);
    end = match.index + match[0].length;
  }
  return markup`${pieces}${text.slice(end)}`;
}

function nameOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${hex}⟩`;
}
