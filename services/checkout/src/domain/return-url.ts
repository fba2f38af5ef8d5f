/**
 * The merchant's redirect URL with `reference=…` appended, for a payer who has paid. What the merchant wrote is kept
 * byte for byte: query, fragment, and an existing `reference` parameter.
 */
export function returnUrl(redirectUrl: string, reference: string): string {
  const [, address = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(redirectUrl) ?? [];
  if (query === undefined) return `${address}?reference=${reference}${fragment}`;
  if (new URLSearchParams(query).has("reference")) return redirectUrl;
  const separator = query === "" || query.endsWith("&") ? "" : "&";
  return `${address}?${query}${separator}reference=${reference}${fragment}`;
}

/**
 * The front page of the site that the payer came from, for one who has not paid: the page at the redirect URL may
 * thank the payer without checking. Null unless it is https: it becomes a link on a page.
 */
export function backUrl({ redirectUrl }: { redirectUrl: string | null }): string | null {
  const url = redirectUrl === null ? null : URL.parse(redirectUrl);
  return url?.protocol === "https:" ? `${url.origin}/` : null;
}
