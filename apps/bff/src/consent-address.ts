/** The page at which an operator decides. */
export function approveUrl(publicOrigin: string, consentId: string): string {
  return `${publicOrigin}/consents/${consentId}`;
}
