/**
 * The merchant's own address with `reference=…` appended, for a payer who has paid. What the merchant wrote stays as it was
 * written, byte for byte: query, fragment, and a `reference` parameter of its own.
 */
export function returnUrl(redirectUrl: string, reference: string): string {
  const [, address = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(redirectUrl) ?? [];
  if (query === undefined) return `${address}?reference=${reference}${fragment}`;
  if (new URLSearchParams(query).has("reference")) return redirectUrl;
  const separator = query === "" || query.endsWith("&") ? "" : "&";
  return `${address}?${query}${separator}reference=${reference}${fragment}`;
}
