import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Public by its range, but answered by the cloud itself on a virtual machine: Azure's wire server. */
const METADATA = new Set(["168.63.129.16"]);

/**
 * Whether an IP address is public: not loopback, private, link-local, carrier-grade NAT, multicast, reserved,
 * an address at which a cloud serves its machines' metadata, nor an IPv6 form that carries an IPv4 address (mapped ones are checked by the embedded address; NAT64, 6to4 and Teredo are refused).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === "unicast" && !METADATA.has(parsed.toString());
}
