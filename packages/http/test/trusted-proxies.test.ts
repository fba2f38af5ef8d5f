import type { AddressInfo } from "node:net";
import { createLogger } from "@collect/runtime";
import { expect, test } from "vitest";
import { addressOf, createHttpApp, httpServer, TrustedProxies } from "../src/index.ts";

const log = createLogger("http", "silent");

/** The address that is counted for a call through the loopback, with these forwarded addresses. */
async function countedAddress(setting: string | undefined, forwarded: string): Promise<string> {
  const app = createHttpApp({
    log,
    trustedProxies: TrustedProxies.parse(setting),
    routes: (app) => void app.get("/", (request, response) => void response.send(addressOf(request))),
  });
  const server = httpServer({ app, host: "127.0.0.1", port: 0, log });
  await server.start();
  const { port } = server.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "x-forwarded-for": forwarded } });
  const address = await response.text();
  await server.stop();
  return address;
}

test("without trusted proxies a caller cannot choose its address", async () => {
  expect(await countedAddress(undefined, "203.0.113.7")).toBe("127.0.0.1");
});

test("behind one proxy the caller is the last address that was appended, not one that it claims", async () => {
  expect(await countedAddress("1", "198.51.100.1, 203.0.113.7")).toBe("203.0.113.7");
});

test("proxies are recognized by their networks", async () => {
  expect(await countedAddress("127.0.0.0/8,10.0.0.0/8", "198.51.100.1, 203.0.113.7, 10.1.2.3")).toBe("203.0.113.7");
  expect(await countedAddress("10.0.0.0/8", "203.0.113.7")).toBe("127.0.0.1");
});

test("in front of a proxy that is recognized by its network there may be a number of others, and no other peer is believed", async () => {
  const claimed = "198.51.100.1";
  expect(await countedAddress("127.0.0.0/8,0", `${claimed}, 203.0.113.7`)).toBe("203.0.113.7");
  expect(await countedAddress("127.0.0.0/8,1", `${claimed}, 203.0.113.7, 192.0.2.1`)).toBe("203.0.113.7");
  expect(await countedAddress("127.0.0.0/8,2", `${claimed}, 203.0.113.7, 192.0.2.2, 192.0.2.1`)).toBe("203.0.113.7");
  expect(await countedAddress("127.0.0.0/8,10.0.0.0/8,1", `${claimed}, 203.0.113.7, 10.1.2.3`)).toBe("203.0.113.7");
  expect(await countedAddress("10.0.0.0/8,1", `${claimed}, 203.0.113.7`)).toBe("127.0.0.1");
});

test("callers of one IPv6 network share an address", async () => {
  const first = await countedAddress("1", "2001:db8:1:2::1");
  expect(await countedAddress("1", "2001:db8:1:2:ffff::9")).toBe(first);
  expect(await countedAddress("1", "2001:db8:2:2::1")).not.toBe(first);
});

test.each(["everyone", "10.0.0.0/33", "0.0.0.0/0", "10.0.0.0/8/8", "-1", ",", "1,1", "1,10.0.0.0/8", ",1"])(
  "%s names no proxies",
  (setting) => {
    expect(TrustedProxies.safeParse(setting).success).toBe(false);
  },
);
