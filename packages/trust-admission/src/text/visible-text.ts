import { HIDDEN } from "./hidden-text.ts";

/** What is not plain ASCII on one line. */
const UNUSUAL = /[^\u0020-\u007e]/;
/** Blanks that look like a plain one, line feeds and tabs. */
const BLANK = /(?! )[\p{Zs}\n\t]/gu;
/** More blanks in a row than any layout has: what follows them is out of sight. */
const PADDING: string = " ".repeat(33);
/** Letters of scripts that share shapes with Latin, Latin in other widths and faces, and accents that stand alone. */
const LOOK_ALIKE =
  /[\u0300-\u036f\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/gu;
const ONE_LOOK_ALIKE = new RegExp(LOOK_ALIKE.source, "u");
const LATIN = /[A-Za-z]/;

/**
 * A text as one line that shows all it holds: every hidden character, line feed, tab and unusual blank as ⟨U+200B⟩, a
 * long row of blanks as ⟨U+0020 ×100⟩, and in a text that is mostly Latin also each letter that only looks so.
 */
export function visibleText(text: string): string {
  const shown = UNUSUAL.test(text)
    ? withLookAlikes(text).replaceAll(HIDDEN, mark).replaceAll(BLANK, mark)
    : text;
  return withoutPadding(shown);
}

/** By hand, for a pattern runs out of memory where there are millions of blanks. */
function withoutPadding(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(PADDING); at >= 0; at = text.indexOf(PADDING, from)) {
    let end = at + PADDING.length;
    while (text[end] === " ") end += 1;
    parts.push(text.slice(from, at), `⟨U+0020 ×${end - at}⟩`);
    from = end;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

function withLookAlikes(text: string): string {
  return isMostlyLatin(text) ? text.replaceAll(LOOK_ALIKE, mark) : text;
}

function isMostlyLatin(text: string): boolean {
  let balance = 0;
  for (const letter of text) {
    if (LATIN.test(letter)) balance += 1;
    else if (ONE_LOOK_ALIKE.test(letter)) balance -= 1;
  }
  return balance > 0;
}

function mark(character: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${point}⟩`;
}
