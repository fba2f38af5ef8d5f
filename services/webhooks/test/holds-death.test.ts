import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { startDying } from "./dying.ts";
import { expectInOrder, SENDING, useHolding } from "./holding.ts";
import { startWebhooks, untilStatuses } from "./service.ts";

const EVENTS = 60;

const holding = await useHolding({ running: false });
const { world, current, pay, fail, accept, held, holdOf, probeDue, rows, sequences } = holding;

/**
 * As after the time of every lease, and of the retries that the process scheduled and did not park before it died: they are due by
 * then. What the dead process asked last is still done by the database, a claim as well.
 */
async function endLeases(): Promise<void> {
  await until("the connections of the dead process have ended", async () => {
    const { rows } = await world.owner.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'webhooks'",
    );
    return rows.length === 0;
  });
  await world.owner.query(
    "update deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at is not null",
  );
  await probeDue();
}

/** What another process sends once the first is dead: everything that was not stored as acknowledged, in its order. */
async function expectTheRestInOrder(): Promise<void> {
  const { rows: held } = await world.owner.query("select batch_size from holds where merchant_id = $1", [
    current().merchant.id,
  ]);
  const waiting = (await rows()).filter(({ status }) => status === "pending").length;
  const before = current().receiver.received.length;
  accept();
  await endLeases();
  onTestFinished(await startWebhooks(world, SENDING));
  await untilStatuses(world, current().merchant, ...Array(EVENTS).fill("delivered"));
  expect(sequences(before)).toHaveLength(waiting);
  expectInOrder(sequences(before), held[0]?.batch_size);
  await until("the hold has ended", async () => (await holdOf()) === null);
}

async function heldByAnEarlierProcess(): Promise<void> {
  const stop = await startWebhooks(world, SENDING);
  await held(EVENTS);
  await stop();
}

test("a process that dies once it holds an endpoint loses no event, and another probes and releases it", async () => {
  fail();
  const { exited } = await startDying(world, "committed:2");
  await pay(EVENTS);
  await exited;
  const { rows: holds } = await world.owner.query("select state from holds where merchant_id = $1", [
    current().merchant.id,
  ]);
  expect(holds).toEqual([{ state: "held" }]);
  await expectTheRestInOrder();
});

test("a process that dies while it probes leaves the endpoint held, and the oldest is tried again", async () => {
  await heldByAnEarlierProcess();
  const { exited } = await startDying(world, "posted");
  await probeDue();
  await exited;
  expect((await rows()).every(({ status }) => status === "pending")).toBe(true);
  await expectTheRestInOrder();
});

test("a process that dies while it releases loses no event, and another goes on in order", async () => {
  await heldByAnEarlierProcess();
  accept();
  const { exited } = await startDying(world, "posted:25");
  await probeDue();
  await exited;
  expect((await rows()).some(({ status }) => status === "delivered")).toBe(true);
  await expectTheRestInOrder();
});
