import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { openWire } from "./wire.ts";

/** A server that sends back what it gets, and a connection to it by the wire. */
async function anEcho() {
  const ends: Socket[] = [];
  const server = createServer((socket) => {
    ends.push(socket);
    socket.on("error", () => {});
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const wire = await openWire(`nats://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  onTestFinished(() => {
    wire.close();
    for (const end of ends) end.destroy();
    server.close();
  });
  const dial = async () => {
    const socket = connect(Number(new URL(wire.url).port), "127.0.0.1");
    let got = "";
    socket.on("data", (data) => {
      got += data;
    });
    const say = async (text: string) => {
      const before = got.length;
      socket.write(text);
      return until(`${text} comes back`, () => got.length > before, 1_000).catch(() => false);
    };
    await once(socket, "connect");
    return { socket, say, heard: () => got };
  };
  return { wire, ends, dial };
}

test("a silent connection stays open and passes nothing, until it does; a new one is not concerned", async () => {
  const { wire, dial, ends } = await anEcho();
  const one = await dial();
  expect(await one.say("a")).toBe(true);
  const speakAgain = wire.silence("all");
  expect(await one.say("b")).toBe(false);
  expect(one.socket.destroyed || ends[0]?.destroyed).toBe(false);
  expect(await (await dial()).say("c")).toBe(true);
  speakAgain();
  await until("what was held back arrives", () => one.heard() === "ab");
});

test("of a half-open connection the server's end is gone, and the other end learns nothing of it", async () => {
  const { wire, dial, ends } = await anEcho();
  const one = await dial();
  expect(await one.say("a")).toBe(true);
  wire.leaveHalfOpen("one");
  await until("the server's end is gone", () => ends[0]?.destroyed);
  expect(await one.say("b")).toBe(false);
  expect(one.socket.destroyed).toBe(false);
});
