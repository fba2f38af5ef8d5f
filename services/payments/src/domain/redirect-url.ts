/** What no address on the wire has, though a URL can be parsed in spite of it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Only an https address is kept, as the merchant wrote it; anything else is dropped, not refused. */
export function keptRedirectUrl(given: string | undefined): string | null {
  if (given === undefined || UNPRINTABLE.test(given) || !URL.canParse(given)) return null;
  return new URL(given).protocol === "https:" ? given : null;
}
