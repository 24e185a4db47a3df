import { describe, expect, it } from "vitest";
import { changeOneDigit, changeOneLetter } from "../src/tamper.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const TEXT = "Moves a submitted item to shipped. Publishes, so a person must approve it.";

function differences(a: Uint8Array, b: Uint8Array): readonly number[] {
  return [...a.keys()].filter((index) => a[index] !== b[index]);
}

describe("changeOneLetter", () => {
  it("changes one letter of the text and nothing else, also behind characters of many bytes", () => {
    const program = bytes(`// – 🜁 é\nconst tool = { description: "${TEXT}" };\n`);
    const tampered = changeOneLetter(program, TEXT, []);
    expect(tampered).toBeDefined();
    expect(differences(program, tampered?.bytes ?? program)).toEqual([tampered?.offset]);
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(tampered?.bytes);
    expect(decoded.toLowerCase()).toBe(Buffer.from(program).toString().toLowerCase());
    expect(decoded).not.toContain(TEXT);
  });

  it("leaves the bytes it was given alone", () => {
    const program = bytes(TEXT);
    changeOneLetter(program, TEXT, []);
    expect(Buffer.from(program).toString()).toBe(TEXT);
  });

  it("passes by words that stand in the program twice", () => {
    const [first, second] = [TEXT.slice(0, 34), TEXT.slice(34)];
    const program = bytes(`${first}|${first}${second}`);
    const tampered = changeOneLetter(program, TEXT, []);
    expect(tampered?.offset).toBeGreaterThan(first.length);
  });

  it("passes by words that another text shows too", () => {
    const shared = TEXT.slice(35);
    const tampered = changeOneLetter(bytes(TEXT), TEXT, [`Verifies an item. ${shared}`]);
    expect(tampered?.offset).toBeLessThan(35);
  });

  it("finds no place where the program does not hold the text, or only twice", () => {
    expect(changeOneLetter(bytes("nothing of it"), TEXT, [])).toBeUndefined();
    expect(changeOneLetter(bytes(TEXT + TEXT), TEXT, [])).toBeUndefined();
  });

  it("finds no place in words that a program would write with an escape", () => {
    const text = "été\nété\nété\nété\nété\nété\nété\nété\n";
    expect(changeOneLetter(bytes(text), text, [])).toBeUndefined();
  });

  it("finds no place where there are no letters, or too few", () => {
    const spaces = " ".repeat(60);
    expect(changeOneLetter(bytes(spaces), spaces, [])).toBeUndefined();
    expect(changeOneLetter(bytes("short"), "short", [])).toBeUndefined();
  });
});

describe("changeOneDigit", () => {
  it.each(["0", "1", "a"])("makes another digest of one that starts with %s", (start) => {
    const digest = start.repeat(64);
    const changed = changeOneDigit(digest);
    expect(changed).toMatch(/^[0-9a-f]{64}$/);
    expect(changed).not.toBe(digest);
    expect(changed.slice(1)).toBe(digest.slice(1));
  });
});
