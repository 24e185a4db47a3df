import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markup } from "../../src/page/markup.ts";
import { remainingText } from "../../src/page/remaining.ts";
import { visibleText } from "../../src/page/visible-text.ts";

/** What a reader sees, without the marks. */
const shown = (text: string): string => visibleText(text).html.replaceAll(/<\/?mark>/g, "");

describe("text that a page shows", () => {
  test.each([
    ["a right-to-left override", "a\u202Eb", "U+202E"],
    ["a zero-width space", "\u200B", "U+200B"],
    ["a zero-width joiner", "\u200D", "U+200D"],
    ["a byte order mark", "\uFEFF", "U+FEFF"],
    ["a soft hyphen", "\u00AD", "U+00AD"],
    ["a no-break space", "\u00A0", "U+00A0"],
    ["an ideographic space", "\u3000", "U+3000"],
    ["a tag letter", "\u{E0041}", "U+E0041"],
    ["a variation selector", "\uFE0F", "U+FE0F"],
    ["a Hangul filler", "\u3164", "U+3164"],
    ["a Braille blank", "\u2800", "U+2800"],
    ["a line separator", "\u2028", "U+2028"],
    ["a control character", "\u0007", "U+0007"],
    ["a line feed", "\n", "U+000A"],
    ["a private character", "\uE000", "U+E000"],
    ["a lone surrogate", "\uD800", "U+D800"],
    ["the bracket that marks", "⟨U+202E⟩", "U+27E8"],
  ])("marks %s", (_title, text, name) => {
    expect(visibleText(text).html).toContain(`<mark>⟨${name}⟩</mark>`);
  });

  test("keeps what can be read, in any script", () => {
    const text = "Ship it: Ünïcödé, עברית, 日本語, 𝔘 → 3";
    expect(visibleText(text).html).toBe(text);
  });

  test("is never the same for two texts", () => {
    const texts = fc.uniqueArray(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 });
    const check = fc.check(
      fc.property(texts, ([one = "", other = ""]) => shown(one) !== shown(other)),
    );
    expect([check.failed, check.numRuns]).toEqual([false, 100]);
  });

  test("can leave neither an element nor an attribute", () => {
    const hostile = `"><script>'&amp;`;
    const { html } = markup`<a title="${hostile}">${visibleText(hostile)}</a>`;
    const escaped = "&quot;&gt;&lt;script&gt;&#39;&amp;amp;";
    expect(html).toBe(`<a title="${escaped}">${escaped}</a>`);
  });
});

describe("the time left", () => {
  test.each([
    [-1, "none"],
    [0, "none"],
    [1, "less than a second"],
    [999, "less than a second"],
    [1000, "1 second"],
    [60_000, "1 minute"],
    [572_999, "9 minutes 32 seconds"],
  ])("of %i ms is %s", (ms, words) => {
    expect(remainingText(ms)).toBe(words);
  });
});
