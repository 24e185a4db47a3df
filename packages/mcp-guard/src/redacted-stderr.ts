/** Bytes of one line that are looked at together; what follows in it is left out. */
const MAX_LINE_BYTES = 64 * 1024;

/** Shorter values are no secrets, and taking them out would make every line unreadable. */
const MIN_SECRET_LENGTH = 4;

const LF = 0x0a;
const REDACTED = "[redacted]";
const CUT = "[cut]";

/** Credentials by their form, whatever the value: an authorization header, a token of ours, a JWT. */
const FORMS: readonly RegExp[] = [
  /\b(?:bearer|basic)[\s:=]+[^\s"',;]+/gi,
  /\beve_[a-z]+_[a-z]+_[\w-]+/gi,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
];

/** Takes what a child writes to stderr. */
export interface RedactedStderr {
  write(chunk: Uint8Array): void;
  /** Hands on a last line without its newline. */
  end(): void;
}

/**
 * Hands on a child's stderr line by line, without the values it was given: each value of `secrets`, also in base64, in
 * a URL and in a JSON string, and whatever has the form of a credential. A line is cut at 64 KiB, before it is looked
 * at, so a value is never half of what is handed on.
 */
export function redactedStderr(
  sink: (chunk: Uint8Array) => void,
  secrets: readonly string[],
): RedactedStderr {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap(formsOf)
    .toSorted((a, b) => b.length - a.length);
  let line: Uint8Array[] = [];
  let length = 0;
  let isCut = false;

  const hold = (piece: Uint8Array): void => {
    const kept = piece.subarray(0, Math.max(0, MAX_LINE_BYTES - length));
    isCut ||= kept.length < piece.length;
    length += kept.length;
    if (kept.length > 0) line.push(kept.slice());
  };
  const handOn = (ending: string): void => {
    // Where the line was cut, a value may be cut too: what could be its beginning goes with it.
    const text = new TextDecoder().decode(Buffer.concat(line));
    const whole = isCut ? withoutBeginning(text, forms) : text;
    const safe = redacted(whole, forms);
    line = [];
    length = 0;
    sink(new TextEncoder().encode(`${safe}${isCut ? CUT : ""}${ending}`));
    isCut = false;
  };

  return {
    write: (chunk) => {
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        hold(chunk.subarray(start, at));
        handOn("\n");
        start = at + 1;
      }
      hold(chunk.subarray(start));
    },
    end: () => {
      if (length > 0 || isCut) handOn("");
    },
  };
}

function redacted(text: string, forms: readonly string[]): string {
  const known = forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
  return FORMS.reduce((left, form) => left.replaceAll(form, REDACTED), known);
}

/** The text without an end that begins as one of the values does. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  for (let size = Math.min(longest, text.length); size > 0; size -= 1) {
    const end = text.slice(-size);
    if (forms.some((form) => form.startsWith(end))) return text.slice(0, -size);
  }
  return text;
}

/** How a value is commonly written. Base64 has three forms, by what stands before it: their common middle is enough. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const shifted = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    // The first and the last characters depend on their neighbours.
    const middle = encoded.slice(shift === 0 ? 0 : shift + 1, encoded.length - 1);
    const plain = middle.replaceAll("-", "+").replaceAll("_", "/");
    return middle.length >= MIN_SECRET_LENGTH ? [middle, plain] : [];
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...shifted];
}
