import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { isPublicAddress } from "./public-address.ts";

/** The merchant's URL resolves to an address that is not public. Nothing was sent. */
export class AddressRefused extends Error {
  constructor(address: string) {
    super(`refused: ${address} is not a public address`);
    this.name = "AddressRefused";
  }
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Connects to public addresses only, checked at connection time: the literal in the URL (undici does not resolve it), every
 * address the name resolves to (one private address refuses the name), and the address of the connected socket.
 */
export function guardedConnector(options: { timeoutMs: number; resolve?: Resolve }): buildConnector.connector {
  const lookup = publicLookup(options.resolve ?? resolveName);
  const connect = buildConnector({ timeout: options.timeoutMs, allowH2: false, lookup });
  return (target, callback) => {
    if (isIP(target.hostname) && !isPublicAddress(target.hostname)) {
      return process.nextTick(callback, new AddressRefused(target.hostname), null);
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const address = socket.remoteAddress ?? "";
      if (isPublicAddress(address)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(address), null);
    });
  };
}

function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isPublicAddress(address));
        const [first] = addresses;
        if (refused) callback(new AddressRefused(refused.address), "");
        else if (!first) callback(new Error(`${hostname} has no address`), "");
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
}

/** With a timeout, and without getaddrinfo: a name server that hangs would block its four threads, and with them all other merchants' lookups. */
const dns = new Resolver({ timeout: 2_000, tries: 2 });

async function resolveName(hostname: string): Promise<LookupAddress[]> {
  if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [{ address: "127.0.0.1", family: 4 }];
  const [v4, v6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
  return [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}
