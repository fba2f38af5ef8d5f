/** Where the test receiver is: one address for each merchant. */
export const RECEIVER_PATH = "/receiver/";

export const receiverUrl = (base: string, token: string): string => `${base}${RECEIVER_PATH}${token}`;

/** Whether a URL, as a person typed it, is one of the test receiver's. */
export function isReceiver(base: string | undefined, typed: string | null): boolean {
  const url = URL.parse(typed ?? "");
  return url !== null && url.origin === base && url.pathname.startsWith(RECEIVER_PATH);
}

/** The headers that a delivery is about; not those of the proxies in front. */
const SHOWN = /^(webhook-|x-service-|content-type$|content-length$|user-agent$)/;
const VALUE_MAX = 1_000;

export function shownHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    SHOWN.test(name) && value !== undefined ? [[name, stored(String(value)).slice(0, VALUE_MAX)]] : [],
  );
  return Object.fromEntries(shown.slice(0, 30));
}

/** Text that PostgreSQL can store. */
export const stored = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();
