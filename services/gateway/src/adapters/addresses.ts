import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The caller's address in one form: an IPv4 address that arrived as IPv6 is IPv4. Undefined if it is none. */
export function canonicalAddress(given: string | undefined): string | undefined {
  const address = parse(given?.replace(/%.*$/, "") ?? "");
  return address && unmapped(address).toString();
}

/**
 * A network in one form, `102.89.0.0/16`: the bits after its length are zero, a single address is a network of one, and IPv4 is never
 * written as IPv6. Undefined for anything else, such as 0x7f.1, which people read differently.
 */
export function networkOf(given: string): string | undefined {
  const [, text = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(given) ?? [];
  const address = parse(text);
  if (!address) return;
  const whole = address.kind() === "ipv4" ? 32 : 128;
  const prefix = length === undefined ? whole : Number(length);
  if (prefix > whole) return;
  const plain = unmapped(address);
  const isMapped = plain !== address;
  // A mapped network that is wider than all of IPv4 has no form in IPv4.
  if (isMapped && prefix < 96) return;
  return masked(plain, isMapped ? prefix - 96 : prefix);
}

/** `::102.89.3.4`, a form of IPv6 that was given up in 2006, which the library reads as IPv4: no caller has such an address. */
const IPV4_COMPATIBLE = /^::\d+\./;

function parse(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (IPV4_COMPATIBLE.test(text)) return;
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function masked(address: Address, prefix: number): string {
  const network = `${address.toString()}/${prefix}`;
  const parser = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${parser.networkAddressFromCIDR(network).toString()}/${prefix}`;
}
