import { isIP } from "node:net";
import type { Express } from "express";
import { z } from "zod";

/** How many proxies there are; or their networks, and how many `further` ones of any network are in front of the nearest one. */
export type TrustedProxies = number | { networks: string[]; further: number };

const HOPS = /^\d{1,2}$/;

/**
 * The setting `TRUSTED_PROXIES`: how many proxies in front append their caller to `X-Forwarded-For`, or the networks
 * that they are in, separated by commas, or both: `10.0.0.0/8,1` is a proxy in that network with one in front of it. A caller
 * that is in none of the networks is not believed. With none, the default, the header is ignored and a caller cannot choose
 * the address that is counted.
 */
export const TrustedProxies = z
  .string()
  .default("0")
  .transform(parse)
  .refine(
    (proxies) => typeof proxies === "number" || proxies.networks.every(isNetwork),
    "must be a number of proxies, networks such as 10.0.0.0/8,fd00::/8, or both: 10.0.0.0/8,1",
  );

/** From then on `request.ip` is the caller in front of these proxies. */
export function trustProxies(app: Express, proxies: TrustedProxies): void {
  if (typeof proxies === "number") {
    app.set("trust proxy", proxies);
    return;
  }
  app.set("trust proxy", proxies.networks);
  // What Express makes of the networks. The connection's own address is hop 0.
  const isInNetworks: (address: string, hop: number) => boolean = app.get("trust proxy fn");
  app.set(
    "trust proxy",
    (address: string, hop: number) => isInNetworks(address, hop) || (hop > 0 && hop <= proxies.further),
  );
}

function parse(text: string): TrustedProxies {
  const entries = text.split(",").map((entry) => entry.trim());
  const count = HOPS.test(entries.at(-1) ?? "") ? Number(entries.pop()) : 0;
  return entries.length === 0 ? count : { networks: entries, further: count };
}

/** Names of networks that Express knows; anything shorter than a /1 would trust every caller. */
const NAMED = new Set(["loopback", "linklocal", "uniquelocal"]);

function isNetwork(network: string): boolean {
  const [address = "", prefix, ...rest] = network.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (NAMED.has(network)) return true;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}
