import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

const URL_MAX = 2_000;

/** The normalized webhook URL, or why it is refused. The addresses that its host resolves to are checked at connection time. */
export function readMerchantUrl(
  text: string,
  { allowPrivateUrls }: { allowPrivateUrls: boolean },
): { url: string } | { fault: string } {
  const url = URL.parse(text);
  if (!url) return { fault: "must be a URL" };
  if (!isAllowedScheme(url.protocol, allowPrivateUrls)) return { fault: "must be an https URL" };
  if (url.username || url.password) return { fault: "must not contain a user name or password" };
  if (url.href.length > URL_MAX) return { fault: `must be at most ${URL_MAX} characters` };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivateUrls && isIP(host) && !isPublicAddress(host)) return { fault: "must resolve to a public address" };
  url.hash = "";
  return { url: url.href };
}

function isAllowedScheme(protocol: string, allowPrivateUrls: boolean): boolean {
  return protocol === "https:" || (allowPrivateUrls && protocol === "http:");
}
