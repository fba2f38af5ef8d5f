import { isIP } from "node:net";
import { z } from "zod";

/** What Express accepts as `trust proxy`: a number of hops, or the networks of the proxies. */
export type TrustedProxies = number | string[];

const HOPS = /^\d{1,2}$/;

/**
 * The setting `TRUSTED_PROXIES`: how many proxies in front append their caller to `X-Forwarded-For`, or the networks
 * that they are in, separated by commas. With none, the default, the header is ignored and a caller cannot choose the
 * address that is counted.
 */
export const TrustedProxies = z
  .string()
  .default("0")
  .transform((text): TrustedProxies => (HOPS.test(text.trim()) ? Number(text) : networksIn(text)))
  .refine(
    (proxies) => typeof proxies === "number" || proxies.every(isNetwork),
    "must be a number of proxies, or networks such as 10.0.0.0/8,fd00::/8",
  );

const networksIn = (text: string): string[] => text.split(",").map((network) => network.trim());

/** Names of networks that Express knows; anything shorter than a /1 would trust every caller. */
const NAMED = new Set(["loopback", "linklocal", "uniquelocal"]);

function isNetwork(network: string): boolean {
  const [address = "", prefix, ...rest] = network.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (NAMED.has(network)) return true;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}
