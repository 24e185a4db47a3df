import { HIDDEN } from "./hidden-text.ts";

/** A text with every hidden character as ⟨U+200B⟩, line feeds and tabs too: one line that shows all it holds. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, mark).replaceAll(/[\n\t]/g, mark);
}

function mark(character: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${point}⟩`;
}
