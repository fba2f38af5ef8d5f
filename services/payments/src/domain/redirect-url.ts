/** Only an https address is kept, as the merchant wrote it; anything else is dropped, not refused. */
export function keptRedirectUrl(given: string | undefined): string | null {
  if (given === undefined || !URL.canParse(given)) return null;
  return new URL(given).protocol === "https:" ? given : null;
}
