/**
 * Every value of a header as the client sent it, from a flat list of names and values. Node joins some repeated
 * headers and drops others, so a second one would not be seen.
 */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
