/** A folder of Unix or Windows, a file URL, a recording's stand-in for one, and words that name a platform. */
const PLACE =
  /(?:file:\/\/\/?)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/"'`<>()[\]{},;:]+){2,}[\\/]?|<[A-Z][A-Z_]+>|\b(?:darwin|linux|win32|macos|windows|arm64|x64)\b/gi;
/** How a folder begins. Its names may hold spaces, so its end is where the texts agree again. */
const ABSOLUTE = /^(?:file:\/\/\/?)?(?:\/|[A-Za-z]:[\\/]|\\\\|~[\\/]|<[A-Z][A-Z_]+>)/;

/**
 * Whether two different texts are the same but for what the machine of the server gives: every folder and platform in
 * them taken for one, or a single stretch that is a folder in both. A guess that informs a reader.
 */
export function looksHostDependent(before: string, after: string): boolean {
  if (before === after) return false;
  const [a, b] = [before.replaceAll(PLACE, "\0"), after.replaceAll(PLACE, "\0")];
  if (a === b) return a.includes("\0");
  const [old, now] = stretches(before, after);
  return ABSOLUTE.test(old) && ABSOLUTE.test(now);
}

/** What stands between the common beginning, back to its last blank or quote, and the common end of two texts. */
function stretches(before: string, after: string): readonly [string, string] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  while (start > 0 && !/[\s"'`(=]/.test(before[start - 1] ?? "")) start -= 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}
