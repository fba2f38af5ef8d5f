/** What no address on the wire has, though a URL can be parsed in spite of it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Only an https address is kept, as the merchant wrote it; anything else is dropped, not refused. */
export function keptRedirectUrl(given: string | undefined): string | null {
  // Parsers also take `https:shop` and leading spaces; what is kept here is shown as a link there.
  if (given === undefined || !/^https:\/\//i.test(given) || UNPRINTABLE.test(given)) return null;
  return URL.canParse(given) ? given : null;
}
