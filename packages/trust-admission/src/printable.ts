import { framedDigest, type JsonValue } from "@eve/canonical-json";
import { isToolName } from "@eve/registry-schema";

/** A name a live server sent, as it may stand in a refusal: itself if it is plain, else only its digest. */
export function printableName(name: JsonValue | undefined): string {
  if (typeof name === "string" && isToolName(name)) return name;
  return `<unprintable name, sha256 ${framedDigest("eve/name/1", name).slice(0, 16)}>`;
}

/** A version or URL that was observed: itself if it is short plain text, else only its digest. */
export function printableText(text: string): string {
  return isPlain(text, /^[\x21-\x7e]{1,200}$/)
    ? text
    : `<unprintable text, sha256 ${framedDigest("eve/name/1", text).slice(0, 16)}>`;
}

/** A protocol version a live server sent: itself if it is a date, else only its digest. */
export function printableProtocol(version: string): string {
  return isPlain(version, /^\d{4}-\d{2}-\d{2}$/)
    ? version
    : `<unprintable version, sha256 ${framedDigest("eve/name/1", version).slice(0, 16)}>`;
}

/** Longest pointer that is shown. */
const MAX_POINTER = 200;

/**
 * A pointer into what a live server sent, as it may stand in a refusal: blanks and all but plain ASCII as ⟨U+200B⟩, so
 * that no name of a member reads as a sentence, and cut where it is long.
 */
export function printablePointer(pointer: string): string {
  const plain = pointer
    .slice(0, MAX_POINTER)
    .replaceAll(
      /[^\x21-\x7e]/gu,
      (character) =>
        `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
    );
  return pointer.length > MAX_POINTER ? `${plain}…` : plain;
}

function isPlain(text: unknown, form: RegExp): boolean {
  return typeof text === "string" && form.test(text);
}
