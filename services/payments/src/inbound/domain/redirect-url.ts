/** Characters that no URL on the wire contains, although parsers accept them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Only an https URL is stored, as the merchant wrote it; anything else is dropped, not refused. */
export function validRedirectUrl(given: string | undefined): string | null {
  // Parsers also accept `https:shop` and leading spaces; the stored URL becomes a link on the checkout page.
  if (given === undefined || !/^https:\/\//i.test(given) || UNPRINTABLE.test(given)) return null;
  return URL.canParse(given) ? given : null;
}
