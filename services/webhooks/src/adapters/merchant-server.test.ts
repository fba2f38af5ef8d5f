import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createMerchantServers, type MerchantServers } from "./merchant-server.ts";

const opened: (Server | MerchantServers)[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const resource of opened.splice(0)) await resource.close();
});

/** A raw TCP server, and the data it received. */
async function rawServer(onData: (socket: Socket, connection: number) => void) {
  const seen = { connections: 0, closed: 0, port: 0 };
  const server = createServer((socket) => {
    const connection = ++seen.connections;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => void seen.closed++);
    socket.on("data", () => onData(socket, connection));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(server);
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

const URLS = { allowPrivateUrls: true, confirmPrivateUrls: false, ports: [443] };
const guardedUrls = (port = 443) => ({ ...URLS, allowPrivateUrls: false, ports: [port] });

function merchantServers(options: Partial<Parameters<typeof createMerchantServers>[0]> = {}) {
  const servers = createMerchantServers({ urls: URLS, deadlineMs: 10_000, ...options });
  opened.push(servers);
  return servers;
}

const post = (servers: MerchantServers, url: string) => servers.post({ url, headers: {}, body: Buffer.from("{}") });
const answer = (head: string, body = "") => `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe("where private addresses are not allowed", () => {
  const guarded = (addresses: string[]) =>
    merchantServers({
      urls: guardedUrls(),
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    });

  test("a name that resolves to loopback is refused at connection time, and nothing reaches the port", async () => {
    const server = await rawServer(() => {});
    const result = await post(merchantServers({ urls: guardedUrls(server.port) }), `https://localhost:${server.port}/`);
    expect(result).toEqual({ status: null, error: "refused: 127.0.0.1 is not a public address" });
    expect(server.connections).toBe(0);
  });

  test.each([["10.0.0.8"], ["::1"], ["169.254.169.254"], ["::ffff:192.168.0.1"], ["64:ff9b::a00:1"]])(
    "a name that resolves to %s is refused",
    async (address) => {
      const result = await post(guarded([address]), "https://hooks.example.com/");
      expect(result).toEqual({ status: null, error: `refused: ${address} is not a public address` });
    },
  );

  test("one private address among public ones refuses the name", async () => {
    const result = await post(guarded(["8.8.8.8", "127.0.0.1"]), "https://hooks.example.com/");
    expect(result).toEqual({ status: null, error: "refused: 127.0.0.1 is not a public address" });
  });

  test.each(["https://127.0.0.1/", "https://[::1]/", "http://example.com/"])(
    "%s is refused even when it was stored before the rule",
    async (url) => {
      expect(await post(guarded(["8.8.8.8"]), url)).toMatchObject({ status: null, error: /^refused: the URL must/ });
    },
  );
});

describe("a receiver that misbehaves", () => {
  test("one that never responds is aborted at the deadline", async () => {
    const server = await rawServer(() => {});
    const result = await post(merchantServers({ deadlineMs: 200 }), `http://127.0.0.1:${server.port}/`);
    expect(result).toEqual({ status: null, error: "no answer within 0.2 s" });
    await expect.poll(() => server.closed).toBe(1);
  });

  test("one that trickles its headers is aborted at the deadline", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-a: ");
      const timer = setInterval(() => socket.write("a"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const result = await post(merchantServers({ deadlineMs: 300 }), `http://127.0.0.1:${server.port}/`);
    expect(result).toEqual({ status: null, error: "no answer within 0.3 s" });
    await expect.poll(() => server.closed).toBe(1);
  });

  test("one that resets the connection is distinct from a response", async () => {
    const server = await rawServer((socket) => socket.resetAndDestroy());
    const result = await post(merchantServers(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ status: null, error: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
  });

  test("endless headers are not read", async () => {
    const server = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(100_000)}`));
    const result = await post(merchantServers(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ status: null, error: expect.stringContaining("UND_ERR_HEADERS_OVERFLOW") });
  });

  test("an endless body is aborted; its status counts and 1 kB is stored", async () => {
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        while (socket.writable && socket.write("a".repeat(16_384)));
        if (socket.writable) socket.once("drain", more);
      };
      more();
    });
    const result = await post(merchantServers(), `http://127.0.0.1:${server.port}/`);
    expect(result).toMatchObject({ status: 200, response: "a".repeat(1_024) });
    await expect.poll(() => server.closed).toBe(1);
  });

  test("malformed HTTP is not a response", async () => {
    const server = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    expect(await post(merchantServers(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ status: null });
  });
});

test("a redirect is a response and is not followed", async () => {
  const target = await rawServer((socket) => socket.write(answer("200 OK")));
  const server = await rawServer((socket) =>
    socket.write(answer(`302 Found\r\nlocation: http://127.0.0.1:${target.port}/`)),
  );
  expect(await post(merchantServers(), `http://127.0.0.1:${server.port}/`)).toMatchObject({ status: 302 });
  expect(target.connections).toBe(0);
});

test("the result has the status, Retry-After and the beginning of the body, without NUL, which PostgreSQL cannot store", async () => {
  const server = await rawServer((socket) => socket.write(answer("503 Busy\r\nretry-after: 120", "try\0later")));
  expect(await post(merchantServers(), `http://127.0.0.1:${server.port}/`)).toEqual({
    status: 503,
    response: "try\uFFFDlater",
    retryAfter: "120",
  });
});

test("connections are reused for the next deliveries to the same origin", async () => {
  const server = await rawServer((socket) => socket.write(answer("200 OK", "ok")));
  const servers = merchantServers();
  for (let n = 0; n < 20; n++) await post(servers, `http://127.0.0.1:${server.port}/${n}`);
  expect(server.connections).toBeLessThanOrEqual(2);
});
