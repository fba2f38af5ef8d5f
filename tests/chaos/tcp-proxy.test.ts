import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTcpProxy } from "./tcp-proxy.ts";

/** An echo server, and connections to it through the proxy. */
async function openEcho() {
  const ends: Socket[] = [];
  const server = createServer((socket) => {
    ends.push(socket);
    socket.on("error", () => {});
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy = await openTcpProxy(`nats://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  onTestFinished(() => {
    proxy.close();
    for (const end of ends) end.destroy();
    server.close();
  });
  const dial = async () => {
    const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
    let got = "";
    socket.on("data", (data) => {
      got += data;
    });
    const send = async (text: string) => {
      const before = got.length;
      socket.write(text);
      return until(`${text} is echoed`, () => got.length > before, 1_000).catch(() => false);
    };
    await once(socket, "connect");
    return { socket, send, received: () => got };
  };
  return { proxy, ends, dial };
}

test("a silent connection stays open and transmits nothing until it is resumed; new connections are unaffected", async () => {
  const { proxy, dial, ends } = await openEcho();
  const one = await dial();
  expect(await one.send("a")).toBe(true);
  const resume = proxy.silence("all");
  expect(await one.send("b")).toBe(false);
  expect(one.socket.destroyed || ends[0]?.destroyed).toBe(false);
  expect(await (await dial()).send("c")).toBe(true);
  resume();
  await until("the delayed bytes arrive", () => one.received() === "ab");
});

test("a half-open connection is closed at the server's end, and the other end is not notified", async () => {
  const { proxy, dial, ends } = await openEcho();
  const one = await dial();
  expect(await one.send("a")).toBe(true);
  proxy.leaveHalfOpen("one");
  await until("the server's end is closed", () => ends[0]?.destroyed);
  expect(await one.send("b")).toBe(false);
  expect(one.socket.destroyed).toBe(false);
});
