import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an IP address is public: not loopback, private, link-local, carrier-grade NAT, multicast, reserved,
 * nor an IPv6 form that carries an IPv4 address (mapped ones are checked by the embedded address; NAT64, 6to4 and Teredo are refused).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === "unicast";
}
