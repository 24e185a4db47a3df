/** The digest with another last hexadecimal digit. */
export function otherLast(digest: string): string {
  return digest.slice(0, -1) + (digest.endsWith("0") ? "1" : "0");
}
