import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

const URL_MAX = 2_000;

export type UrlRules = {
  /** Accepts plain http, private addresses and every port. */
  allowPrivateUrls: boolean;
  /** The ports of public URLs. */
  ports: readonly number[];
  /** Whether private URLs, too, must answer a challenge before events are sent to them. */
  confirmPrivateUrls: boolean;
};

/**
 * The normalized webhook URL and whether it must answer a challenge, or why it is refused. The addresses that its host
 * resolves to are checked at connection time.
 */
export function readMerchantUrl(
  text: string,
  { allowPrivateUrls, ports, confirmPrivateUrls }: UrlRules,
): { url: string; mustAnswer: boolean } | { fault: string } {
  const url = URL.parse(text);
  if (!url) return { fault: "must be a full URL, such as https://example.com/webhooks" };
  if (!isAllowedScheme(url.protocol, allowPrivateUrls))
    return { fault: "must be a full https URL, such as https://example.com/webhooks" };
  if (url.username || url.password) return { fault: "must not contain a user name or password" };
  if (url.href.length > URL_MAX) return { fault: `must be at most ${URL_MAX} characters` };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivateUrls && isIP(host) && !isPublicAddress(host)) return { fault: "must resolve to a public address" };
  if (!allowPrivateUrls && !ports.includes(Number(url.port || HTTPS_PORT)))
    return { fault: `must use port ${ports.join(" or ")}` };
  url.hash = "";
  return { url: url.href, mustAnswer: confirmPrivateUrls || !allowPrivateUrls || !isPrivateHost(host) };
}

const HTTPS_PORT = 443;

function isAllowedScheme(protocol: string, allowPrivateUrls: boolean): boolean {
  return protocol === "https:" || (allowPrivateUrls && protocol === "http:");
}

/** This machine or network by the URL's own words. A name that resolves there only now may resolve elsewhere tomorrow. */
function isPrivateHost(host: string): boolean {
  return isIP(host) ? !isPublicAddress(host) : /^(.+\.)?localhost\.?$/.test(host);
}
