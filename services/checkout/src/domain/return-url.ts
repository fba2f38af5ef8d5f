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
