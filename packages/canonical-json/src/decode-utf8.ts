/** The text of bytes that are UTF-8, or how many bytes come before the first sequence that is not. */
export type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly validBytes: number };

/** What the decoder puts in place of a sequence that is not UTF-8; a valid text may hold it too. */
const REPLACEMENT = "\ufffd";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes strictly (RFC 3629): nothing is replaced, and a byte order mark stays in the text as U+FEFF. A decoder that
 * replaces is far faster on megabytes than one that throws, and only a text with a replacement is in doubt.
 */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const text = decoder.decode(bytes);
  if (!text.includes(REPLACEMENT)) return { ok: true, text };
  const validBytes = validLength(bytes);
  return validBytes === bytes.length ? { ok: true, text } : { ok: false, validBytes };
}

function validLength(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Bytes of the well-formed sequence at `at` (Unicode, table 3-7), or 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (!isSecond(lead, bytes[at + 1])) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes[at + 2])) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3]) ? 4 : 0;
}

function isSecond(lead: number, byte: number | undefined): boolean {
  if (byte === undefined || !isContinuation(byte)) return false;
  if (lead === 0xe0) return byte >= 0xa0; // overlong
  if (lead === 0xed) return byte < 0xa0; // surrogates
  if (lead === 0xf0) return byte >= 0x90; // overlong
  if (lead === 0xf4) return byte < 0x90; // beyond U+10FFFF
  return true;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
