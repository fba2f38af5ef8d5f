import { randomUUID } from "node:crypto";
import { transferReceived, transferUnallocated } from "@collect/contracts";
import { expect, test } from "vitest";
import { durableName, streamName, untilConsumed } from "../src/index.ts";
import { useBus } from "./world.ts";

/** A recovery waits for what was published before it, and for nothing that is published meanwhile. */

const { bus } = await useBus("accounts");

const common = { amount: 100n, paidAt: "2026-11-21T09:30:00.000+00:00", receivedAt: "2026-11-21T09:30:00.000+00:00" };
const publish = () =>
  bus.publish(transferReceived, [
    {
      ...common,
      intakeId: randomUUID(),
      merchant: { id: "mer_1", mode: "live" },
      accountNumber: "0123456789",
      customer: null,
      currency: "NGN",
      fundedBy: "bank",
      payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
    },
  ]);
async function next() {
  const durable = durableName(transferReceived, "ledger", "live");
  const consumer = await bus.jetstream.consumers.get(streamName("accounts", "live"), durable);
  const message = await consumer.next({ expires: 5_000 });
  if (!message) throw new Error("no message has come");
  return message;
}
const consume = async () => (await next()).ackAck();
const backlog = () => bus.backlog([transferReceived], "live");

/** Waits, and does `work` as often as it finds that something is not consumed. Returns how often that was. */
async function waited(work: (times: number) => Promise<unknown>): Promise<number> {
  let times = 0;
  const step = async () => {
    await work(++times);
  };
  await untilConsumed(bus, [transferReceived], { step, signal: AbortSignal.timeout(20_000) });
  return times;
}

test("under load that never leaves the durable empty the wait ends with the last message that was published before", async () => {
  await publish();
  await publish();
  const times = await waited(async () => {
    await publish();
    await consume();
  });
  expect([times, await backlog()]).toEqual([2, 2]);
  await consume();
  await consume();
});

test("a message from before that is not acknowledged is waited for, whatever was consumed after it", async () => {
  await publish();
  const first = await next();
  const times = await waited(async (time) => {
    await publish();
    await consume();
    if (time < 4) return;
    // So that something is pending at the end as well.
    await publish();
    await first.ackAck();
  });
  expect([times, await backlog()]).toEqual([4, 1]);
  await consume();
});

test("a durable that has consumed all of its own does not wait for another event of the stream", async () => {
  await bus.publish(transferUnallocated, [{ ...common, intakeId: randomUUID(), mode: "live" }]);
  expect(await waited(async () => {})).toBe(0);
  await publish();
  await bus.publish(transferUnallocated, [{ ...common, intakeId: randomUUID(), mode: "live" }]);
  expect(await waited(consume)).toBe(1);
});
