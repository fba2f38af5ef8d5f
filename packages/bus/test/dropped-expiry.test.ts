import { randomUUID } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { transferUnallocated } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { expect, onTestFinished, test } from "vitest";
import { consumeByStatement, consumeEvents } from "../src/index.ts";
import { connectToAll, log, openBusWorld, until } from "./world.ts";

test("a pull request whose expiry notice is dropped is repeated, and the durable is not reported lost", async () => {
  const world = await openBusWorld();
  onTestFinished(() => world.close());
  const broker = await openProxy(world.nats().port);
  onTestFinished(() => broker.close());
  const bus = await connectToAll(broker.url, "ledger");
  onTestFinished(() => bus.close());
  const handled: string[] = [];
  const warnings: unknown[] = [];
  const consumers = consumeEvents(bus, {
    service: "ledger",
    pools: { live: world.pool, test: world.pool },
    log: { ...log, warn: (...given: unknown[]) => void warnings.push(given) } as unknown as Logger,
    consumers: [
      consumeByStatement(transferUnallocated, { batchMax: 20 }, async (_context, facts) => {
        handled.push(...facts.map(({ intakeId }) => intakeId));
      }),
    ],
  });
  await consumers.start();
  onTestFinished(() => consumers.stop());

  await until("the pull requests of both modes have expired without a notice", () => broker.dropped() >= 2);
  const at = "2026-11-21T09:30:00.000+00:00";
  const intakeId = randomUUID();
  await bus.publish(transferUnallocated, [{ intakeId, mode: "live", amount: 100n, paidAt: at, receivedAt: at }]);
  await until("it is handled", () => handled.includes(intakeId));
  expect(warnings).toEqual([]);
});

const EXPIRED = "NATS/1.0 408";

/** A proxy to the broker that drops the expiry notices of pull requests. */
async function openProxy(port: number) {
  let dropped = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [client, upstream].map((one) => one.destroy()));
    }
    client.pipe(upstream);
    let rest = Buffer.alloc(0);
    upstream.on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let frame = nextFrame(rest); frame; frame = nextFrame(rest)) {
        rest = rest.subarray(frame.length);
        if (frame.includes(EXPIRED)) dropped++;
        else client.write(frame);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropped: () => dropped,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A protocol line with its payload, if it has one; undefined while it is incomplete. */
function nextFrame(buffer: Buffer): Buffer | undefined {
  const end = buffer.indexOf("\r\n") + 2;
  if (end < 2) return undefined;
  const line = buffer.subarray(0, end).toString();
  const length = /^H?MSG /.test(line) ? end + Number(line.trim().split(" ").at(-1)) + 2 : end;
  return buffer.length < length ? undefined : buffer.subarray(0, length);
}
