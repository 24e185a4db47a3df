/** Compares two texts by their UTF-8 bytes: an order that no locale and no UTF-16 surrogate changes. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}
