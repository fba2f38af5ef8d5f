import type { CheckoutSettings, Mode } from "@collect/contracts";
import { validRedirectUrl } from "./redirect-url.ts";

/** Of a merchant that has not chosen. */
export const DEFAULT_SETTINGS: CheckoutSettings = { return_hosts: [], public_descriptions: true };

export type Warning = { param: string; code: string; message: string };
type Call = { redirect_url?: string | undefined; description?: string | undefined };
type Allowed = Record<keyof Call, string | undefined> & { warnings: Warning[] };

/**
 * What of a call with a public key becomes part of the session. Anyone can make such a call with any return address and
 * any text, on a page that bears the merchant's name: what the merchant does not allow is left out. It is not refused,
 * because a payer who cannot return has still paid, and one who is refused has not; the caller is warned.
 */
export function allowedCall(call: Call, settings: CheckoutSettings, mode: Mode): Allowed {
  const refusedUrl = call.redirect_url ? whyRefused(call.redirect_url, settings, mode) : undefined;
  const refusesText = Boolean(call.description) && !settings.public_descriptions;
  return {
    redirect_url: refusedUrl ? undefined : call.redirect_url,
    description: refusesText ? undefined : call.description,
    warnings: [...(refusedUrl ? [refusedUrl] : []), ...(refusesText ? [TEXT_REFUSED] : [])],
  };
}

const TEXT_REFUSED: Warning = {
  param: "description",
  code: "description_not_allowed",
  message: "was left out: the merchant shows no descriptions that are sent with its public key",
};

function whyRefused(redirectUrl: string, settings: CheckoutSettings, mode: Mode): Warning | undefined {
  const url = validRedirectUrl(redirectUrl);
  if (url === null) return refusedUrl("not_https", "was left out: only an https URL is kept");
  const { host } = new URL(url);
  // The first minutes of an integration need no configuration; with one, test mode is like live.
  const isAllowed = settings.return_hosts.includes(host) || (mode === "test" && settings.return_hosts.length === 0);
  if (isAllowed) return undefined;
  return refusedUrl(
    "return_host_not_allowed",
    `was left out: add ${host} to the return hosts in the dashboard, under Settings › Business`,
  );
}

const refusedUrl = (code: string, message: string): Warning => ({ param: "redirect_url", code, message });
