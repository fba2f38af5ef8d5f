import { expect, test } from "vitest";
import { canonicalAddress, networkOf } from "./addresses.ts";

test.each([
  ["102.89.3.4", "102.89.3.4"],
  ["::ffff:102.89.3.4", "102.89.3.4"],
  ["::ffff:6659:304", "102.89.3.4"],
  ["2001:DB8::1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["::102.89.3.4", undefined],
  ["nonsense", undefined],
  [undefined, undefined],
])("a caller at %s is at %s", (given, address) => expect(canonicalAddress(given)).toBe(address));

test.each([
  ["102.89.3.4", "102.89.3.4/32"],
  ["102.89.3.4/16", "102.89.0.0/16"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["::ffff:102.89.3.4", "102.89.3.4/32"],
  ["::ffff:102.89.3.4/120", "102.89.3.0/24"],
  ["2001:db8::1", "2001:db8::1/128"],
  ["2001:db8:1:2::/32", "2001:db8::/32"],
])("the network %s is stored as %s", (given, network) => expect(networkOf(given)).toBe(network));

test.each([
  "",
  "102.89.3",
  "102.89.3.256",
  "0x7f.1",
  "010.0.0.1",
  "2130706433",
  "102.89.3.4/33",
  "102.89.3.4/-1",
  "102.89.3.4/",
  "/24",
  "1.2.3.4/8/8",
  "2001:db8::/129",
  "::ffff:1.2.3.4/95",
  "fe80::1%eth0",
  "::102.89.3.4",
  "shop.example",
  " 1.2.3.4",
])("%j is not a network", (given) => expect(networkOf(given)).toBeUndefined());
