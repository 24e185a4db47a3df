/**
 * Whether two names may be one person's: equal after Unicode compatibility folding, without what cannot be seen, in one
 * case, and without a `+tag`. It errs towards yes: it only ever serves to refuse.
 */
export function maybeSamePrincipal(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/[\p{C}\p{Z}\s]/gu, "")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/\+[^@]*(?=@|$)/, "");
}
